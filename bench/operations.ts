/**
 * What the benchmark measures, and what is to be reached. Creates come last: they would lengthen the answers of
 * searches that follow them.
 */
export const operations = ['read', 'search', 'update', 'patch', 'create'] as const;
export type Operation = (typeof operations)[number];

interface Measured {
  readonly title: string;
  /** Requests a second of Chartkeeper for each one of the bare handler, at least. */
  readonly target: number;
  /** Status of every answer. */
  readonly status: number;
}

export const measured: Readonly<Record<Operation, Measured>> = {
  read: { title: 'read', target: 0.75, status: 200 },
  search: { title: 'search by subject', target: 0.5, status: 200 },
  create: { title: 'create', target: 0.6, status: 201 },
  update: { title: 'update', target: 0.6, status: 200 },
  patch: { title: 'patch', target: 0.6, status: 200 },
};

/** Records that each search finds. */
export const foundBySearch = 5;

/** A search's time in the large store for each one of its time in the small store, at most. */
export const growthTarget = 1.3;

/** How far the mean answers of the two servers may differ in size: beyond, a ratio compares unlike things. */
export const sizeTolerance = 0.25;
