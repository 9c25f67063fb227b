import type { IssueCounts, IssueQuery } from './issue-query.ts';

/** Queries in the cache. */
const maxCounts = 50;

/** A count that takes this many milliseconds is expensive. It survives writes for 20 times its duration. */
const expensiveMs = 250;
const lifetimeFactor = 20;

interface CachedCounts {
  readonly counts: IssueCounts;
  /** Number of the last counted write. */
  readonly writeNumber: number;
  readonly took: number;
}

/** Counts by query. A write invalidates them unless they are expensive. */
export class CountCache {
  private readonly clock: () => number;
  private readonly cache = new Map<string, CachedCounts>();

  constructor(clock: () => number) {
    this.clock = clock;
  }

  get(query: IssueQuery, writeNumber: number, count: () => IssueCounts): IssueCounts {
    const key = JSON.stringify(query);
    const cached = this.cache.get(key);
    if (cached && (cached.writeNumber === writeNumber || this.isExpensive(cached))) return cached.counts;
    const startTime = this.clock();
    const counts = count();
    if (this.cache.size >= maxCounts) this.cache.clear();
    this.cache.set(key, { counts, writeNumber, took: counts.countedAtMs - startTime });
    return counts;
  }

  forget(): void {
    this.cache.clear();
  }

  private isExpensive({ took, counts }: CachedCounts): boolean {
    return took >= expensiveMs && this.clock() - counts.countedAtMs < took * lifetimeFactor;
  }
}
