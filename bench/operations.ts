/**
 * The measured operations and their targets. Creates come last, because they would lengthen the responses of
 * later searches.
 */
export const operations = [
  'read',
  'search-1',
  'search-5',
  'search-25',
  'pair-1',
  'pair-5',
  'pair-25',
  'update',
  'patch',
  'create',
] as const;
export type Operation = (typeof operations)[number];

/** The parameters of a search, and the number of its matches at both sizes of the store. */
export interface SearchCase {
  readonly parameters: readonly SearchedParameter[];
  readonly matchCount: number;
}

export type SearchedParameter = 'subject' | 'encounter';

interface OperationInfo {
  readonly title: string;
  /** Lowest ratio of Chartkeeper's rate to the rate of the bare handler. */
  readonly target: number;
  /** Status of every response. */
  readonly status: number;
  readonly search?: SearchCase;
}

const createSubjectSearch = (matchCount: number): OperationInfo => ({
  title: `search by subject, ${matchCount} found`,
  target: 0.75,
  status: 200,
  search: { parameters: ['subject'], matchCount },
});

/** The two parameters occur in both orders. */
const createPairSearch = (matchCount: number): OperationInfo => ({
  title: `by subject and encounter, ${matchCount} found`,
  target: 0.6,
  status: 200,
  search: { parameters: ['subject', 'encounter'], matchCount },
});

export const operationInfos: Readonly<Record<Operation, OperationInfo>> = {
  read: { title: 'read', target: 0.85, status: 200 },
  'search-1': createSubjectSearch(1),
  'search-5': createSubjectSearch(5),
  'search-25': createSubjectSearch(25),
  'pair-1': createPairSearch(1),
  'pair-5': createPairSearch(5),
  'pair-25': createPairSearch(25),
  create: { title: 'create', target: 0.65, status: 201 },
  update: { title: 'update', target: 0.65, status: 200 },
  patch: { title: 'patch', target: 0.65, status: 200 },
};

/** Highest ratio of a search's time in the large store to that in the small store. */
export const growthTarget = 1.3;

/**
 * Tolerated difference in size of the mean responses. A ratio of more unequal responses would be meaningless.
 */
export const sizeTolerance = 0.25;
