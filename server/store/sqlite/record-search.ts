import { limits } from '../../../core/api/contract.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { textCheck } from './text-check.ts';
import { MatchSets } from './match-sets.ts';
import { PageBodies } from './page-bodies.ts';
import { neighbours, snapshotOf } from '../places.ts';
import { RecordFacets } from './record-facets.ts';
import { bodiesSql, countSql, narrowPlanOf, walkPlanOf, type PageRequest } from '../search-plan.ts';
import type { SqliteDatabase } from './sqlite.ts';
import { Statements, type FoundRows } from './statements.ts';
import type { SearchPage } from '../store.ts';
import { atOnce } from './turns.ts';
import { WidePages } from './wide-pages.ts';

/** From so many matches on it is cheaper to walk the records in their order than to sort the matches. */
const manyMatches = 20_000;

/** Answers searches; every method reads one state of the database, as the driver is synchronous. */
export class RecordSearch {
  /** The values that matches have. */
  readonly facets: RecordFacets;
  /** Where the records of a page are, of a search that may have many matches. */
  readonly pages: WidePages;
  /** The page whose records were found there. */
  readonly bodies: PageBodies;
  private readonly statements: Statements;
  private readonly sets: MatchSets;
  private readonly bytes: number;

  constructor(
    database: SqliteDatabase,
    { abundant = manyMatches, bytes = limits.answer, check = textCheck(database.name) } = {},
  ) {
    this.bytes = bytes;
    this.statements = new Statements(database);
    this.sets = new MatchSets(this.statements);
    this.facets = new RecordFacets(this.statements, this.sets);
    this.pages = new WidePages(database, this.statements, this.sets, abundant);
    this.bodies = new PageBodies(this.statements, check, bytes);
  }

  total(criteria: SearchCriteria): number {
    return this.narrowTotal(criteria) ?? this.sets.of(criteria).size;
  }

  page(criteria: SearchCriteria, limit: number): SearchPage {
    return (
      this.narrowPage(criteria, limit) ??
      atOnce(this.bodies.page(criteria, this.pages.at(criteria, limit), limit))
    );
  }

  /** The first matches; the total is theirs. To be asked before a write, whose transaction sees what is not committed. */
  first(criteria: SearchCriteria, limit: number): SearchPage {
    const plan = narrowPlanOf(criteria) ?? walkPlanOf(criteria);
    const found = this.found(criteria, { plan, limit, changed: false });
    return this.made(criteria, found, { total: found.rows.length, limit, written: 0 });
  }

  /** The matches of a search of which one term finds few; undefined where none does. */
  narrowTotal(criteria: SearchCriteria): number | undefined {
    const plan = narrowPlanOf(criteria);
    return plan && this.statements.number(countSql(criteria, plan));
  }

  /** A page of a search of which one term finds few; undefined where none does. */
  narrowPage(criteria: SearchCriteria, limit: number): SearchPage | undefined {
    const plan = narrowPlanOf(criteria);
    if (!plan) return undefined;
    const { cursor } = criteria;
    const changed = cursor !== undefined && this.sets.written() > snapshotOf(cursor);
    const found = this.found(criteria, { plan, limit: limit + 1, changed });
    const whole = !cursor && !found.cut && found.rows.length <= limit;
    if (whole) return this.made(criteria, found, { total: found.rows.length, limit, written: 0 });
    const total = criteria.withoutTotal ? 0 : this.statements.number(countSql(criteria, plan));
    return this.made(criteria, found, { total, limit, written: this.sets.written() });
  }

  /** To be told where a write was undone, where records were removed, or their index rows made anew. */
  forget(): void {
    this.sets.forget();
    this.facets.forget();
    this.pages.forget();
  }

  private found(criteria: SearchCriteria, request: PageRequest): FoundRows {
    return this.statements.rowsWithin(
      (most, form) => bodiesSql(criteria, { ...request, limit: most }, form),
      { limit: request.limit, column: textAt, most: this.bytes },
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
    const keys = more || cursor ? rows.map((row) => row.slice(firstKey)) : [];
    return {
      total,
      records: this.statements.made({ ...found, rows }, { column: textAt, key: firstKey - 1 }, (row) =>
        this.bodies.versionOf(criteria, row),
      ),
      ...(found.largest !== undefined && { largest: found.largest }),
      more,
      ...neighbours(keys, more, cursor, cursor?.snapshot ?? String(written)),
    };
  }
}

/** The places of the text and of the first sort key in a row of {@link bodiesSql}. */
const textAt = 2;
const firstKey = 5;
