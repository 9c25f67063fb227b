import type { IssueCounts, IssueQuery } from './issue-query.ts';

/** Counts that are kept, of as many queries. */
const mostCounts = 50;

/** Milliseconds from which a count is dear: it is then kept over writes, for so many times as long as it took. */
const dear = 250;
const kept = 20;

interface Known {
  readonly counts: IssueCounts;
  /** Number of the last write that was counted. */
  readonly written: number;
  readonly took: number;
}

/** Counts by query: a write makes them anew, unless they are dear. */
export class KeptCounts {
  private readonly clock: () => number;
  private readonly known = new Map<string, Known>();

  constructor(clock: () => number) {
    this.clock = clock;
  }

  get(query: IssueQuery, written: number, count: () => IssueCounts): IssueCounts {
    const key = JSON.stringify(query);
    const found = this.known.get(key);
    if (found && (found.written === written || this.isHeld(found))) return found.counts;
    const begun = this.clock();
    const counts = count();
    if (this.known.size >= mostCounts) this.known.clear();
    this.known.set(key, { counts, written, took: counts.counted - begun });
    return counts;
  }

  forget(): void {
    this.known.clear();
  }

  private isHeld({ took, counts }: Known): boolean {
    return took >= dear && this.clock() - counts.counted < took * kept;
  }
}
