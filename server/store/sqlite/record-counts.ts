import { perType, type ResourceType } from '../../../core/fhir/resource.ts';
import { isOfType } from '../sql.ts';
import { preparePluck, type SqliteDatabase } from '../../sqlite/sqlite.ts';

/**
 * Counts records by type without a scan of all records. Records are only removed together, so only new ones are
 * counted.
 */
export class RecordCounts {
  private readonly newest: () => number;
  private readonly since: Readonly<Record<ResourceType, (pk: number) => number>>;
  private cachedCounts: { readonly latest: number; readonly totals: Readonly<Record<ResourceType, number>> };

  constructor(database: SqliteDatabase) {
    const newest = preparePluck<number>(database, 'SELECT coalesce(max(pk), 0) FROM record');
    this.newest = () => newest.get() ?? 0;
    this.since = perType((type) => {
      const countAll = `SELECT count(*) FROM record r WHERE ${isOfType('r', type)}`;
      // A full count uses the narrowest index, a short one the table.
      const [countAllStatement, countLaterStatement] = [countAll, `${countAll} AND pk > ?`].map((text) =>
        preparePluck<number>(database, text),
      );
      return (pk) => (pk === 0 ? countAllStatement?.get() : countLaterStatement?.get(pk)) ?? 0;
    });
    this.cachedCounts = { latest: 0, totals: perType(() => 0) };
  }

  count(): Record<ResourceType, number> {
    const { latest: previousLatest, totals } = this.cachedCounts;
    const latest = this.newest();
    if (latest !== previousLatest) {
      this.cachedCounts = {
        latest,
        totals: perType((type) => totals[type] + this.since[type](previousLatest)),
      };
    }
    return { ...this.cachedCounts.totals };
  }

  /** Discards the counts after a removal of records or a rollback. */
  forget(): void {
    this.cachedCounts = { latest: 0, totals: perType(() => 0) };
  }
}
