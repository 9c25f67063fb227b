import { perType, type ResourceType } from '../../core/fhir/resource.ts';
import type { SqliteDatabase } from './sqlite.ts';

/** Records by type and status. */
export type StatusTotals = Readonly<Record<ResourceType, Readonly<Record<string, number>>>>;

/** Rows that are looked at in one go, in a few milliseconds. */
const slice = { records: 5000, versions: 1000 } as const;

interface Part {
  readonly type: ResourceType;
  /** Null where the record had no version yet. */
  readonly status: string | null;
  readonly records: number;
  /** The last row that was looked at. */
  readonly last: number;
}

/**
 * How many records have each status, kept: all are looked at once, slice by slice, then only the versions that came
 * since. Each slice adds what a version made and takes away what the one before it was.
 */
export class StatusCounts {
  private readonly newest: () => number;
  private readonly records: (after: number, upTo: number) => readonly Part[];
  private readonly versions: (after: number) => readonly Part[];
  private totals = perType(() => new Map<string, number>());
  /** The version up to which records are counted, and the last record of the first count; absent once it ended. */
  private upTo: number | undefined;
  private record: number | undefined = 0;

  constructor(database: SqliteDatabase) {
    const newest = database.prepare<unknown[], number>('SELECT coalesce(max(pk), 0) FROM version').pluck();
    this.newest = () => newest.get() ?? 0;
    const records = database.prepare<unknown[], Part>(
      // As of one version, whatever is written between two slices.
      `SELECT type, status, count(status) AS records, max(pk) AS last FROM (
         SELECT r.pk, r.type, CASE WHEN r.current <= @upTo THEN r.status ELSE
           (SELECT v.status FROM version v WHERE v.record = r.pk AND v.pk <= @upTo ORDER BY v.version DESC LIMIT 1) END AS status
         FROM record r WHERE r.pk > @after ORDER BY r.pk LIMIT ${slice.records})
       GROUP BY type, status`,
    );
    this.records = (after, upTo) => records.all({ after, upTo });
    const versions = database.prepare<unknown[], Part>(
      `WITH came AS (SELECT pk, record, version, type, status FROM version WHERE pk > ? ORDER BY pk LIMIT ${slice.versions})
       SELECT type, status, count(*) AS records, max(pk) AS last FROM came GROUP BY type, status
       UNION ALL
       SELECT c.type, (SELECT v.status FROM version v WHERE v.record = c.record AND v.version < c.version
         ORDER BY v.version DESC LIMIT 1) AS former, -count(*), max(c.pk) FROM came c GROUP BY c.type, former
       HAVING former IS NOT NULL`,
    );
    this.versions = (after) => versions.all(after);
  }

  /** Looks at one slice more; whether that was the last. */
  step(): boolean {
    if (this.record === undefined) return this.follow(this.upTo ?? 0);
    this.upTo ??= this.newest();
    const parts = this.records(this.record, this.upTo);
    this.add(parts);
    this.record = lastOf(parts);
    return false;
  }

  /** What was counted, once the last step was made. */
  count(): StatusTotals {
    return perType((type) => Object.fromEntries([...this.totals[type]].filter(([, records]) => records > 0)));
  }

  /** Records were removed, or what was read was undone. */
  forget(): void {
    this.totals = perType(() => new Map());
    this.upTo = undefined;
    this.record = 0;
  }

  private follow(after: number): boolean {
    const parts = this.versions(after);
    this.add(parts);
    this.upTo = lastOf(parts) ?? after;
    return this.upTo === this.newest();
  }

  private add(parts: readonly Part[]): void {
    for (const { type, status, records } of parts) {
      if (status === null) continue;
      this.totals[type].set(status, (this.totals[type].get(status) ?? 0) + records);
    }
  }
}

function lastOf(parts: readonly Part[]): number | undefined {
  return parts.length === 0 ? undefined : Math.max(...parts.map(({ last }) => last));
}
