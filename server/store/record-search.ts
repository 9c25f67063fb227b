import { limits } from '../../core/api/contract.ts';
import type { Cursor, SearchCriteria } from '../../core/fhir/search-criteria.ts';
import { isSound, textCheck, type TextCheck } from './checksum.ts';
import { MatchCounts } from './match-counts.ts';
import { bodiesSql, planOf } from './search-plan.ts';
import { sql } from './sql.ts';
import type { SqliteDatabase } from './sqlite.ts';
import { Statements, type Value } from './statements.ts';
import type { OrDamaged, SearchPage, StoredBytes } from './store.ts';

/** From so many matches on it is cheaper to walk the records in their order than to sort the matches. */
const manyMatches = 20_000;

/** Answers searches; every method reads one state of the database, as the driver is synchronous. */
export class RecordSearch {
  private readonly statements: Statements;
  private readonly counts: MatchCounts;
  private readonly abundant: number;
  private readonly bytes: number;
  private readonly check: TextCheck;

  constructor(
    database: SqliteDatabase,
    { abundant = manyMatches, bytes = limits.answer, check = textCheck(database.name) } = {},
  ) {
    this.check = check;
    this.abundant = abundant;
    this.bytes = bytes;
    this.statements = new Statements(database);
    this.counts = new MatchCounts(this.statements);
  }

  total(criteria: SearchCriteria): number {
    return this.counts.count(criteria, planOf(criteria));
  }

  page(criteria: SearchCriteria, limit: number): SearchPage {
    const { cursor } = criteria;
    const plan = planOf(criteria);
    const written = this.counts.written();
    const count = () => this.counts.count(criteria, plan);
    const counted = plan.narrow ? undefined : count();
    const walk = !plan.driver || (counted !== undefined && counted > this.abundant);
    const changed = cursor !== undefined && written > cursor.snapshot;
    const found = this.statements.rowsWithin(
      (most, form) => bodiesSql(criteria, { plan, limit: most, walk, changed }, form),
      { limit: limit + 1, column: textAt, most: this.bytes },
    );
    const more = found.cut || found.rows.length > limit;
    const rows = found.rows.slice(0, limit);
    if (cursor?.backwards) rows.reverse();
    return {
      total: counted ?? (more || cursor ? count() : rows.length),
      records: this.statements.made({ ...found, rows }, { column: textAt, key: firstKey - 1 }, (row) =>
        this.versionOf(criteria, row),
      ),
      ...(found.largest !== undefined && { largest: found.largest }),
      more,
      ...neighbours(rows, more, cursor, cursor?.snapshot ?? written),
    };
  }

  private versionOf({ type }: SearchCriteria, row: Value[]): OrDamaged<StoredBytes> {
    const [number, lastUpdated, text, sum, pk] = row;
    const facts = { id: String(row.at(-1)), version: Number(number), lastUpdated: String(lastUpdated) };
    if (isSound(text, sum)) return { ...facts, bytes: text };
    // The quick sum itself may be what is damaged: the text counts, as it does for a read.
    const [row256] = this.statements.rows(sql('SELECT hex(sha256) FROM version WHERE pk = ?', Number(pk)));
    const content = this.check(text, row256?.[0], { type, ...facts });
    return Buffer.isBuffer(content) ? { ...facts, bytes: content } : { ...facts, fault: content };
  }

  /** To be told of each write. */
  moved(): void {
    this.counts.moved();
  }

  /** To be told where a write was undone, or records were removed. */
  forget(): void {
    this.counts.forget();
  }
}

/** The places of the text and of the first sort key in a row of {@link bodiesSql}. */
const textAt = 2;
const firstKey = 5;

function neighbours(
  rows: readonly Value[][],
  more: boolean,
  cursor: Cursor | undefined,
  snapshot: number,
): { next?: Cursor; previous?: Cursor } {
  const place = (row: Value[] | undefined, backwards: boolean): Cursor | undefined =>
    row && { keys: row.slice(firstKey).map(keyOf), snapshot, backwards };
  const backwards = cursor?.backwards ?? false;
  const next = more || backwards ? place(rows.at(-1), false) : undefined;
  const previous = (backwards ? more : cursor !== undefined) ? place(rows[0], true) : undefined;
  return { ...(next && { next }), ...(previous && { previous }) };
}

function keyOf(value: Value): string | number {
  return typeof value === 'number' ? value : String(value ?? '');
}
