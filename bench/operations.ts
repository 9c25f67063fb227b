/**
 * What the benchmark measures, and what is to be reached. Creates come last: they would lengthen the answers of
 * searches that follow them.
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

/** What a search asks for, and how many records it finds at either size of the store. */
export interface Searching {
  readonly by: readonly SearchedBy[];
  readonly finds: number;
}

export type SearchedBy = 'subject' | 'encounter';

interface Measured {
  readonly title: string;
  /** Requests a second of Chartkeeper for each one of the bare handler, at least. */
  readonly target: number;
  /** Status of every answer. */
  readonly status: number;
  readonly search?: Searching;
}

const bySubject = (finds: number): Measured => ({
  title: `search by subject, ${finds} found`,
  target: 0.75,
  status: 200,
  search: { by: ['subject'], finds },
});

/** In either order. */
const byPair = (finds: number): Measured => ({
  title: `by subject and encounter, ${finds} found`,
  target: 0.6,
  status: 200,
  search: { by: ['subject', 'encounter'], finds },
});

export const measured: Readonly<Record<Operation, Measured>> = {
  read: { title: 'read', target: 0.85, status: 200 },
  'search-1': bySubject(1),
  'search-5': bySubject(5),
  'search-25': bySubject(25),
  'pair-1': byPair(1),
  'pair-5': byPair(5),
  'pair-25': byPair(25),
  create: { title: 'create', target: 0.65, status: 201 },
  update: { title: 'update', target: 0.65, status: 200 },
  patch: { title: 'patch', target: 0.65, status: 200 },
};

/** A search's time in the large store for each one of its time in the small store, at most. */
export const growthTarget = 1.3;

/** How far the mean answers of the two servers may differ in size: beyond, a ratio compares unlike things. */
export const sizeTolerance = 0.25;
