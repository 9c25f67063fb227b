import { limits } from '../../../core/api/contract.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { textCheck } from './text-check.ts';
import { MatchSets } from './match-sets.ts';
import { pageBodies } from './page-bodies.ts';
import { neighbours, snapshotOf } from '../places.ts';
import { RecordFacets } from './record-facets.ts';
import { bodiesSql, countSql, narrowPlanOf, walkPlanOf, type PageRequest } from '../search-plan.ts';
import type { SqliteDatabase } from './sqlite.ts';
import { Statements, type FoundRows } from './statements.ts';
import type { SearchPage } from '../store.ts';
import { WidePages } from './wide-pages.ts';

/** From so many matches on it is cheaper to walk the records in their order than to sort the matches. */
const manyMatches = 20_000;

/** Answers searches; every method reads one state of the database, as the driver is synchronous. */
export function recordSearch(
  database: SqliteDatabase,
  { abundant = manyMatches, bytes = limits.answer, check = textCheck(database.name) } = {},
) {
  const statements = new Statements(database);
  const sets = new MatchSets(statements);
  const facets = new RecordFacets(statements, sets);
  const pages = new WidePages(database, statements, sets, abundant);
  const bodies = pageBodies(statements, check, bytes);

  function rowsOf(criteria: SearchCriteria, request: PageRequest): FoundRows {
    return statements.rowsWithin((most, form) => bodiesSql(criteria, { ...request, limit: most }, form), {
      ...{ limit: request.limit, column: textAt, most: bytes },
    });
  }

  function made(
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
      records: statements.made({ ...found, rows }, { column: textAt, key: firstKey - 1 }, (row) =>
        bodies.versionOf(criteria, row),
      ),
      ...(found.largest !== undefined && { largest: found.largest }),
      more,
      ...neighbours(keys, more, cursor, cursor?.snapshot ?? String(written)),
    };
  }

  function narrowTotal(criteria: SearchCriteria): number | undefined {
    const plan = narrowPlanOf(criteria);
    return plan && statements.number(countSql(criteria, plan));
  }

  return {
    /** The values that matches have. */
    facets,
    /** Where the records of a page are, of a search that may have many matches. */
    pages,
    /** The page whose records were found there. */
    bodies,
    /** The matches of a search of which one term finds few; undefined where none does. */
    narrowTotal,

    total: (criteria: SearchCriteria): number => narrowTotal(criteria) ?? sets.of(criteria).size,

    /** The first matches; the total is theirs. To be asked before a write, whose transaction sees what is not committed. */
    first(criteria: SearchCriteria, limit: number): SearchPage {
      const plan = narrowPlanOf(criteria) ?? walkPlanOf(criteria);
      const found = rowsOf(criteria, { plan, limit, changed: false });
      return made(criteria, found, { total: found.rows.length, limit, written: 0 });
    },

    /** A page of a search of which one term finds few; undefined where none does. */
    narrowPage(criteria: SearchCriteria, limit: number): SearchPage | undefined {
      const plan = narrowPlanOf(criteria);
      if (!plan) return undefined;
      const { cursor } = criteria;
      const changed = cursor !== undefined && sets.written() > snapshotOf(cursor);
      const found = rowsOf(criteria, { plan, limit: limit + 1, changed });
      const whole = !cursor && !found.cut && found.rows.length <= limit;
      if (whole) return made(criteria, found, { total: found.rows.length, limit, written: 0 });
      const total = criteria.withoutTotal ? 0 : statements.number(countSql(criteria, plan));
      return made(criteria, found, { total, limit, written: sets.written() });
    },

    /** To be told where a write was undone, where records were removed, or their index rows made anew. */
    forget(): void {
      for (const one of [sets, facets, pages]) one.forget();
    },
  };
}

/** The places of the text and of the first sort key in a row of {@link bodiesSql}. */
const textAt = 2;
const firstKey = 5;
