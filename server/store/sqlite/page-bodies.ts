import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { isSound, searchedColumns, type TextForm } from '../checksum.ts';
import type { TextCheck } from './text-check.ts';
import { neighbours } from '../places.ts';
import { sql, type Sql, type Value } from '../sql.ts';
import type { Statements } from './statements.ts';
import type { Steps } from './turns.ts';
import type { OrDamaged, SearchPage, StoredBytes } from '../store.ts';

/** Where the records of a page are: a thread that reads answers this, and no texts. */
export interface Places {
  readonly total: number;
  /** `[current, ...keys, id]` in the order in which they were read: one more than the page holds, where more follow. */
  readonly rows: readonly Value[][];
  /** The number of the last write that was seen. */
  readonly written: number;
}

/** The places of the text and of the version's number in a row of {@link bodiesAtSql}. */
const textAt = 2;
const currentAt = 4;

/**
 * Reads the texts of a page whose places are known: a version never changes, so that it is the one that was found.
 *
 * @param bytes - The most that the texts of a page come to.
 */
export function pageBodies(statements: Statements, check: TextCheck, bytes: number) {
  function versionOf({ type }: SearchCriteria, row: Value[]): OrDamaged<StoredBytes> {
    const [number, lastUpdated, text, sum, pk] = row;
    const facts = { id: String(row.at(-1)), version: Number(number), lastUpdated: String(lastUpdated) };
    if (isSound(text, sum)) return { ...facts, bytes: text };
    // The quick sum itself may be what is damaged: the text counts, as it does for a read.
    const [row256] = statements.rows(sql('SELECT hex(sha256) FROM version WHERE pk = ?', Number(pk)));
    const content = check(text, row256?.[0], { type, ...facts });
    return Buffer.isBuffer(content) ? { ...facts, bytes: content } : { ...facts, fault: content };
  }

  return {
    /** What a row `[version, last_updated, text, sum, current, ..., id]` says. */
    versionOf,

    *page(criteria: SearchCriteria, { total, rows, written }: Places, limit: number): Steps<SearchPage> {
      const { cursor } = criteria;
      const found = yield* statements.rowsInTurns(
        (from, to, form) => bodiesAtSql(rows.slice(from, to), form),
        { count: Math.min(limit + 1, rows.length), column: textAt, most: bytes },
      );
      const idAt = new Map(rows.map((row) => [row[0], row.at(-1)]));
      // What was removed meanwhile is left out, and so is a record that came under its number.
      const texts = found.rows.slice(0, limit).filter((row) => idAt.get(row[currentAt]) === row.at(-1));
      const there = new Set(texts.map((row) => row[currentAt]));
      const keys = rows.filter((row) => there.has(row[0])).map((row) => row.slice(1));
      const more = found.cut || rows.length > limit;
      if (cursor?.backwards) for (const one of [texts, keys]) one.reverse();
      return {
        total,
        records: statements.made({ ...found, rows: texts }, { column: textAt, key: currentAt }, (row) =>
          versionOf(criteria, row),
        ),
        ...(found.largest !== undefined && { largest: found.largest }),
        more,
        ...neighbours(keys, more, cursor, cursor?.snapshot ?? String(written)),
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
