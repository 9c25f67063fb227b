import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { keepNewest } from '../keep-newest.ts';
import { line } from '../sql.ts';
import { numbered, type Postgres } from './connection.ts';
import { totalSql } from './page-sql.ts';

/** Totals that are kept. */
const most = 200;

interface Known {
  readonly total: number;
  /** Which transactions were counted, as `pg_current_snapshot` writes it. */
  readonly seen: string;
  readonly mark: string;
}

/** Another where rows were mended, or gone, without a version that says so. */
const mark = `(SELECT concat_ws(' ', d.mended, d.parts, d.done, (SELECT max(made) FROM derivation),
  (SELECT max(stamp) FROM erased)) FROM deriving d)`;

const stillText = `SELECT ${mark} = $2 AND NOT EXISTS (SELECT 1 FROM version w
  WHERE w.xid >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(w.xid, $1::pg_snapshot) AND w.type = $3)`;

/** The totals of searches that find many: each is counted once for as long as no server changes a record of its type. */
export function keptTotals(database: Postgres) {
  const all = new Map<string, Known>();

  async function isStill({ seen, mark: said }: Known, type: string): Promise<boolean> {
    const [[still] = []] = await database.rows({ text: stillText, values: [seen, said, type] });
    return Boolean(still);
  }

  return async (criteria: SearchCriteria, signal?: AbortSignal): Promise<number> => {
    const { type, terms } = criteria;
    const key = JSON.stringify([type, terms]);
    const found = all.get(key);
    if (found && (await isStill(found, type))) return found.total;
    const counting = line(
      `SELECT c.*, pg_current_snapshot()::text, ${mark} FROM (`,
      totalSql(criteria),
      ') c',
    );
    const [[total = 0, seen, said] = []] = await database.rows(numbered(counting), signal);
    keepNewest(all, key, { total: Number(total), seen: String(seen), mark: String(said) }, most);
    return Number(total);
  };
}
