/**
 * Answers searches. Which way is taken is said here and not left to the planner, which cannot know that a person's records
 * are few and a status's many: a narrow term drives; of others the matches are counted first, as far as they are many.
 */
import { limits } from '../../../core/api/contract.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { neighbours } from '../places.ts';
import { narrowPlanOf, walkPlanOf } from '../search-plan.ts';
import type { Sql, Value } from '../sql.ts';
import type { SearchPage, SharedStore } from '../store.ts';
import { numbered, type Postgres, type Session } from './connection.ts';
import type { PostgresDamage } from './damage.ts';
import type { PostgresDerived } from './derived.ts';
import { facet } from './facets.ts';
import { keptTotals } from './kept-totals.ts';
import { recordByRecord, setBySet } from './dialect.ts';
import { before, bodiesSql, countSql, type PageRequest } from './page-sql.ts';
import { asBytes, sizeOf, textColumns } from './texts.ts';

/** From so many matches on the records are walked in their order, and fewer are sorted. */
const abundant = 20_000;

/** Answers searches, once the rows that they need are made. */
export function searchesIn(
  database: Postgres,
  derived: Pick<PostgresDerived, 'check'>,
  damage: Pick<PostgresDamage, 'seen'>,
): Pick<SharedStore, 'search' | 'total' | 'facet'> {
  const totals = keptTotals(database);

  async function total(criteria: SearchCriteria, signal?: AbortSignal): Promise<number> {
    const narrow = narrowPlanOf(criteria, recordByRecord);
    if (!narrow) return totals(criteria, signal);
    const [[count] = []] = await database.rows(numbered(countSql(criteria, narrow)), signal);
    return Number(count);
  }

  /** A page; of one whose matches are more than `limit`, `lessOf` of them. */
  async function page(...[criteria, limit, signal, lessOf = limit]: Parameters<SharedStore['search']>) {
    const { cursor, withoutTotal } = criteria;
    const narrow = narrowPlanOf(criteria, recordByRecord);
    const ask = (statement: Sql) => database.rows(numbered(statement), signal);
    if (narrow) {
      const rows = await ask(pageOf(criteria, { plan: narrow, way: 'gathered', limit: limit + 1 }));
      const whole = !cursor && rows.length <= limit && !isCut(rows);
      const count = whole ? rows.length : withoutTotal ? 0 : await total(criteria, signal);
      return made(criteria, rows, count, rows.length > limit ? lessOf : limit);
    }
    const sets = walkPlanOf(criteria, setBySet);
    const matches = withoutTotal
      ? Number((await ask(countSql(criteria, sets, abundant)))[0]?.[0])
      : await totals(criteria, signal);
    // Nothing is sorted, nor looked for again.
    if (matches === 0 && !cursor) return made(criteria, [], 0, limit);
    const request: PageRequest =
      matches < abundant
        ? { plan: sets, way: 'gathered', limit: limit + 1 }
        : { plan: walkPlanOf(criteria, recordByRecord), way: 'walked', limit: limit + 1 };
    const rows = await ask(pageOf(criteria, request));
    return made(criteria, rows, withoutTotal ? 0 : matches, rows.length > limit ? lessOf : limit);
  }

  return {
    async search(criteria, ...asked) {
      await derived.check(criteria);
      const found = await page(criteria, ...asked);
      damage.seen(criteria.type, found.records);
      return found;
    },

    async total(criteria, signal) {
      await derived.check(criteria);
      return total(criteria, signal);
    },

    async facet(criteria, ...asked) {
      await derived.check(criteria);
      return facet(database, criteria, ...asked);
    },
  };
}

/** The first matches, within a transaction whose own writes are among them; the total is theirs. */
export async function first(session: Session, criteria: SearchCriteria, limit: number): Promise<SearchPage> {
  const narrow = narrowPlanOf(criteria, recordByRecord);
  const plan = narrow ?? walkPlanOf(criteria, recordByRecord);
  const way = narrow ? 'gathered' : 'walked';
  const rows = await session.rows(numbered(pageOf(criteria, { plan, way, limit })));
  return made(criteria, rows, rows.length, limit);
}

function pageOf(criteria: SearchCriteria, request: PageRequest): Sql {
  return bodiesSql(criteria, request, limits.answer, textColumns);
}

/** Whether matches of the page are left out, as their texts are too much for one answer. */
function isCut(rows: readonly Value[][]): boolean {
  return Boolean(rows.at(-1)?.[4]);
}

function made(criteria: SearchCriteria, rows: readonly Value[][], count: number, limit: number): SearchPage {
  const { type, cursor } = criteria;
  const more = isCut(rows) || rows.length > limit;
  const shown = rows.slice(0, limit);
  if (cursor?.backwards) shown.reverse();
  const snapshot = cursor?.snapshot ?? String(rows[0]?.[5] ?? '');
  const keys = more || cursor ? shown.map((row) => row.slice(before)) : [];
  return {
    total: count,
    records: shown.map(([version, lastUpdated, ...row]) => {
      const facts = { id: String(row.at(-1)), version: Number(version), lastUpdated: String(lastUpdated) };
      return asBytes(type, facts, row);
    }),
    ...sizeOf(shown, 2),
    more,
    ...neighbours(keys, more, cursor, snapshot),
  };
}
