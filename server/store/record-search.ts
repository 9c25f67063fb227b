import { limits } from '../../core/api/contract.ts';
import type { Cursor, SearchCriteria } from '../../core/fhir/search-criteria.ts';
import { isSound, textCheck, type TextCheck } from './checksum.ts';
import type { Facet } from '../../core/fhir/facet.ts';
import { RecordFacets, type FacetValues } from './record-facets.ts';
import { MatchSets } from './match-sets.ts';
import {
  bodiesOfSql,
  bodiesSql,
  countSql,
  narrowPlanOf,
  walkPlanOf,
  type PageRequest,
  type Plan,
} from './search-plan.ts';
import { sql } from './sql.ts';
import type { SqliteDatabase } from './sqlite.ts';
import { Statements, type FoundRows, type Value } from './statements.ts';
import type { OrDamaged, SearchPage, StoredBytes } from './store.ts';
import { WidePages, type Places } from './wide-pages.ts';

/** From so many matches on it is cheaper to walk the records in their order than to sort the matches. */
const manyMatches = 20_000;

/** Answers searches; every method reads one state of the database, as the driver is synchronous. */
export class RecordSearch {
  private readonly statements: Statements;
  private readonly sets: MatchSets;
  private readonly facets: RecordFacets;
  private readonly pages: WidePages;
  private readonly bytes: number;
  private readonly check: TextCheck;

  constructor(
    database: SqliteDatabase,
    { abundant = manyMatches, bytes = limits.answer, check = textCheck(database.name) } = {},
  ) {
    this.check = check;
    this.bytes = bytes;
    this.statements = new Statements(database);
    this.sets = new MatchSets(this.statements);
    this.facets = new RecordFacets(this.statements, this.sets);
    this.pages = new WidePages(database, this.statements, this.sets, abundant);
  }

  total(criteria: SearchCriteria): number {
    const plan = narrowPlanOf(criteria);
    return plan ? this.statements.number(countSql(criteria, plan)) : this.sets.of(criteria).size;
  }

  page(criteria: SearchCriteria, limit: number): SearchPage {
    const plan = narrowPlanOf(criteria);
    return plan
      ? this.narrowPage(criteria, limit, plan)
      : this.pageAt(criteria, limit, this.places(criteria, limit));
  }

  /** The first matches; the total is theirs. To be asked before a write, whose transaction sees what is not committed. */
  first(criteria: SearchCriteria, limit: number): SearchPage {
    const plan = narrowPlanOf(criteria) ?? walkPlanOf(criteria);
    const found = this.found(criteria, { plan, limit, changed: false });
    return this.made(criteria, found, { total: found.rows.length, limit, written: 0 });
  }

  /** Where the records of a page stand, of a search that may have many matches. */
  places(criteria: SearchCriteria, limit: number): Places {
    return this.pages.at(criteria, limit);
  }

  /** The page that stands at these places, with the texts. */
  pageAt(criteria: SearchCriteria, limit: number, { total, rows, written }: Places): SearchPage {
    const versions = rows.map(([current]) => Number(current));
    const found = this.statements.rowsWithin((most, form) => bodiesOfSql(versions.slice(0, most), form), {
      limit: rows.length,
      column: textAt,
      most: this.bytes,
    });
    const ordered = found.rows.map((row, index) => [
      ...row.slice(0, firstKey),
      ...(rows[index]?.slice(1) ?? []),
    ]);
    return this.made(criteria, { ...found, rows: ordered }, { total, limit, written });
  }

  /** The most frequent values of a facet among the matches. */
  facet(criteria: SearchCriteria, facet: Facet, limit: number): FacetValues {
    return this.facets.values(criteria, facet, limit);
  }

  private narrowPage(criteria: SearchCriteria, limit: number, plan: Plan): SearchPage {
    const { cursor } = criteria;
    const changed = cursor !== undefined && this.sets.written() > cursor.snapshot;
    const found = this.found(criteria, { plan, limit: limit + 1, changed });
    const whole = !cursor && !found.cut && found.rows.length <= limit;
    if (whole) return this.made(criteria, found, { total: found.rows.length, limit, written: 0 });
    const total = criteria.withoutTotal ? 0 : this.statements.number(countSql(criteria, plan));
    return this.made(criteria, found, { total, limit, written: this.sets.written() });
  }

  private found(criteria: SearchCriteria, request: PageRequest): FoundRows {
    return this.statements.rowsWithin(
      (most, form) => bodiesSql(criteria, { ...request, limit: most }, form),
      {
        limit: request.limit,
        column: textAt,
        most: this.bytes,
      },
    );
  }

  private made(
    criteria: SearchCriteria,
    found: FoundRows,
    { total, limit, written }: { readonly total: number; readonly limit: number; readonly written: number },
  ): SearchPage {
    const { cursor } = criteria;
    const more = found.cut || found.rows.length > limit;
    const rows = found.rows.slice(0, limit);
    if (cursor?.backwards) rows.reverse();
    return {
      total,
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

  /** To be told where a write was undone, where records were removed, or their index rows made anew. */
  forget(): void {
    this.sets.forget();
    this.facets.forget();
    this.pages.forget();
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
