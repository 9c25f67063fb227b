/** How much a request may hold, and an answer; part of the contract in core/api. */
export const limits = {
  /** Bytes of a request's body. */
  body: 5 * 1024 * 1024,
  /** JSON values of a body: every object, array, string, number and literal. */
  values: 300_000,
  /** Most matches answered where the request does not ask for pages. */
  matches: 5000,
  /** Largest page. */
  page: 1000,
  /** Bytes of the records in one answer, in their stored form. A page of larger records has fewer records. */
  answer: 128 * 1024 * 1024,
  /** Bytes of all answers that their readers have not taken yet; a further large one is refused. */
  underWay: 256 * 1024 * 1024,
  /** Operations of one patch. */
  patchOperations: 500,
} as const;
