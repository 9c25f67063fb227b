/** A match as the store keeps it: exact text, not parsed. */
export interface Match {
  readonly id: string;
  readonly text: string;
}

export interface SearchSet {
  readonly total: number;
  readonly matches: readonly Match[];
  /** Absolute URL of the search as it was understood. */
  readonly self: string;
  /** Absolute URL of the next page; absent on the last. */
  readonly next?: string;
  /** Absolute URL of the type, without a trailing slash. */
  readonly typeUrl: string;
}

/** The searchset Bundle (FHIR R4 http.html#search) as JSON text; each resource's text stands in it untouched. */
export function searchSetText({ total, matches, self, next, typeUrl }: SearchSet): string {
  const links = [
    { relation: 'self', url: self },
    ...(next === undefined ? [] : [{ relation: 'next', url: next }]),
  ];
  const entries = matches.map(
    ({ id, text }) =>
      `{"fullUrl":${JSON.stringify(`${typeUrl}/${id}`)},"resource":${text},"search":{"mode":"match"}}`,
  );
  const head = `"resourceType":"Bundle","type":"searchset","total":${total},"link":${JSON.stringify(links)}`;
  return `{${head},"entry":[${entries.join(',')}]}`;
}
