import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { retainLatest } from '../../store/retain-latest.ts';
import { line } from '../../store/sql.ts';
import { numbered, type Postgres } from './connection.ts';
import { totalSql } from './page-sql.ts';

/** Totals in the cache. */
const maxTotals = 200;

interface CachedTotal {
  readonly total: number;
  /** Counted transactions, in the form of `pg_current_snapshot`. */
  readonly seenSnapshot: string;
  readonly mark: string;
}

/** Changes when rows were reconciled or removed without a new version. */
const markSql = `(SELECT concat_ws(' ', d.mended, d.parts, d.done, (SELECT max(made) FROM derivation),
  (SELECT max(stamp) FROM erased)) FROM deriving d)`;

const isCurrentSql = `SELECT ${markSql} = $2 AND NOT EXISTS (SELECT 1 FROM version w
  WHERE w.xid >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(w.xid, $1::pg_snapshot) AND w.type = $3)`;

/**
 * Returns a function that counts matches. It caches the totals of large searches until a server changes a
 * record of their type.
 */
export function createTotalCache(database: Postgres) {
  const totals = new Map<string, CachedTotal>();

  async function isCurrent({ seenSnapshot, mark: storedMark }: CachedTotal, type: string): Promise<boolean> {
    const [[isUnchanged] = []] = await database.rows({
      text: isCurrentSql,
      values: [seenSnapshot, storedMark, type],
    });
    return Boolean(isUnchanged);
  }

  return async (criteria: SearchCriteria, signal?: AbortSignal): Promise<number> => {
    const { type, terms } = criteria;
    const key = JSON.stringify([type, terms]);
    const cachedTotal = totals.get(key);
    if (cachedTotal && (await isCurrent(cachedTotal, type))) return cachedTotal.total;
    const countQuery = line(
      `SELECT c.*, pg_current_snapshot()::text, ${markSql} FROM (`,
      totalSql(criteria),
      ') c',
    );
    const [[total = 0, seenSnapshot, currentMark] = []] = await database.rows(numbered(countQuery), signal);
    retainLatest(
      totals,
      key,
      { total: Number(total), seenSnapshot: String(seenSnapshot), mark: String(currentMark) },
      maxTotals,
    );
    return Number(total);
  };
}
