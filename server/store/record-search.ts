import { limits } from '../../core/api/contract.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { SearchCriteria } from '../../core/fhir/search-criteria.ts';
import { textCheck } from './checksum.ts';
import { MatchCounts } from './match-counts.ts';
import { neighbours, PageBodies, type Places } from './page-bodies.ts';
import { bodiesSql, pageSql, planOf } from './search-plan.ts';
import type { SqliteDatabase } from './sqlite.ts';
import { Statements } from './statements.ts';
import type { SearchPage } from './store.ts';

/** From so many matches on it is cheaper to walk the records in their order than to sort the matches. */
const manyMatches = 20_000;

/** Answers searches; every method reads one state of the database, as the driver is synchronous. */
export class RecordSearch {
  private readonly statements: Statements;
  private readonly counts: MatchCounts;
  private readonly abundant: number;
  private readonly bytes: number;
  private readonly bodies: PageBodies;

  constructor(
    database: SqliteDatabase,
    { abundant = manyMatches, bytes = limits.answer, check = textCheck(database.name) } = {},
  ) {
    this.abundant = abundant;
    this.bytes = bytes;
    this.statements = new Statements(database);
    this.counts = new MatchCounts(this.statements);
    this.bodies = new PageBodies(this.statements, check, bytes);
  }

  total(criteria: SearchCriteria): number {
    return this.counts.count(criteria, planOf(criteria));
  }

  page(criteria: SearchCriteria, limit: number): SearchPage {
    const plan = planOf(criteria);
    if (!plan.narrow) return this.pageAt(criteria, this.places(criteria, limit), limit);
    const { cursor } = criteria;
    const { written, changed } = this.since(criteria);
    const count = () => this.counts.count(criteria, plan);
    const found = this.statements.rowsWithin(
      (most, form) => bodiesSql(criteria, { plan, limit: most, walk: false, changed }, form),
      { limit: limit + 1, column: textAt, most: this.bytes },
    );
    const more = found.cut || found.rows.length > limit;
    const rows = found.rows.slice(0, limit);
    if (cursor?.backwards) rows.reverse();
    return {
      total: more || cursor ? count() : rows.length,
      records: this.statements.made({ ...found, rows }, { column: textAt, key: firstKey - 1 }, (row) =>
        this.bodies.versionOf(criteria, row),
      ),
      ...(found.largest !== undefined && { largest: found.largest }),
      more,
      ...neighbours(
        rows.map((row) => row.slice(firstKey)),
        more,
        cursor,
        cursor?.snapshot ?? written,
      ),
    };
  }

  /**
   * Where the records of a page are, which a search of many matches answers beside.
   *
   * @throws FhirError where nobody waits for it any more.
   */
  places(criteria: SearchCriteria, limit: number, givenUp: () => boolean = () => false): Places {
    const plan = planOf(criteria);
    const { written, changed } = this.since(criteria);
    const total = this.counts.count(criteria, plan);
    if (givenUp()) throw new FhirError('unanswered', { text: 'Nobody waits for this search any more.' });
    const walk = !plan.driver || total > this.abundant;
    const rows = this.statements.rows(pageSql(criteria, { plan, limit: limit + 1, walk, changed }));
    return { total, rows, written };
  }

  /** The page whose records were found at these places. */
  pageAt(criteria: SearchCriteria, places: Places, limit: number): SearchPage {
    return this.bodies.page(criteria, places, limit);
  }

  private since({ cursor }: SearchCriteria): { written: number; changed: boolean } {
    const written = this.counts.written();
    return { written, changed: cursor !== undefined && written > cursor.snapshot };
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
