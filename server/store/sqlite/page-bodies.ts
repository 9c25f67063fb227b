import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { isIntact, searchedColumns, type TextForm } from '../checksum.ts';
import type { TextCheck } from './text-check.ts';
import { neighbours } from '../row-cursors.ts';
import { sql, type Sql, type Value } from '../sql.ts';
import type { Statements } from './statements.ts';
import type { Steps } from './cooperative-steps.ts';
import type { OrDamaged, SearchPage, StoredBytes } from '../store.ts';

/** Positions of the records of a page. Reader threads return them without texts. */
export interface Places {
  readonly total: number;
  /** `[current, ...keys, id]` in reading order, with one extra row if more follow. */
  readonly rows: readonly Value[][];
  /** Key of the latest version that the search has seen. */
  readonly latestVersion: number;
}

/** Indexes of the text and of the version key in a row of {@link bodiesAtSql}. */
const textAt = 2;
const currentAt = 4;

/**
 * Reads the texts of a page with known positions. Versions never change, so the texts match the search.
 *
 * @param bytes - Maximum size of the texts of a page.
 */
export function pageBodies(statements: Statements, check: TextCheck, bytes: number) {
  function versionOf({ type }: SearchCriteria, row: Value[]): OrDamaged<StoredBytes> {
    const [number, lastUpdated, text, sum, pk] = row;
    const metadata = { id: String(row.at(-1)), version: Number(number), lastUpdated: String(lastUpdated) };
    if (isIntact(text, sum)) return { ...metadata, bytes: text };
    // The fast checksum may be damaged instead of the text. As for a read, the SHA-256 decides.
    const [row256] = statements.rows(sql('SELECT hex(sha256) FROM version WHERE pk = ?', Number(pk)));
    const content = check(text, row256?.[0], { type, ...metadata });
    return Buffer.isBuffer(content) ? { ...metadata, bytes: content } : { ...metadata, fault: content };
  }

  return {
    /** Converts a row `[version, last_updated, text, sum, current, ..., id]`. */
    versionOf,

    *page(
      criteria: SearchCriteria,
      { total, rows, latestVersion }: Places,
      limit: number,
    ): Steps<SearchPage> {
      const { cursor } = criteria;
      const result = yield* statements.readRowsInSteps(
        (from, to, form) => bodiesAtSql(rows.slice(from, to), form),
        { count: Math.min(limit + 1, rows.length), column: textAt, maxBytes: bytes },
      );
      const idAt = new Map(rows.map((row) => [row[0], row.at(-1)]));
      // Omits records that were removed meanwhile, also if another record has the same key now.
      const texts = result.rows.slice(0, limit).filter((row) => idAt.get(row[currentAt]) === row.at(-1));
      const presentKeys = new Set(texts.map((row) => row[currentAt]));
      const keys = rows.filter((row) => presentKeys.has(row[0])).map((row) => row.slice(1));
      const hasMore = result.isCut || rows.length > limit;
      if (cursor?.backwards) for (const list of [texts, keys]) list.reverse();
      return {
        total,
        records: statements.convertRows(
          { ...result, rows: texts },
          { column: textAt, key: currentAt },
          (row) => versionOf(criteria, row),
        ),
        ...(result.largest !== undefined && { largest: result.largest }),
        hasMore,
        ...neighbours(keys, hasMore, cursor, cursor?.snapshot ?? String(latestVersion)),
      };
    },
  };
}

function bodiesAtSql(places: readonly Value[][], form: TextForm): Sql {
  return sql(
    `SELECT v.version, v.last_updated, ${searchedColumns('v', form)}, v.pk, v.id
     FROM json_each(?) p CROSS JOIN version v ON v.pk = p.value ORDER BY p.key`,
    JSON.stringify(places.map(([current]) => current)),
  );
}
