import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { datePrefixes, searchParametersOf } from '../../core/fhir/search-parameters.ts';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { readCriteria, type Pair } from '../../core/fhir/search.ts';
import type { SearchCriteria } from '../../core/fhir/search-criteria.ts';
import { sqliteDialect } from './dialect.ts';
import { recordMigrations } from './sqlite/migrations.ts';
import { historyCountSql } from './history-rows.ts';
import { historySql } from './sqlite/record-history.ts';
import { overlapSql } from './relation-sql.ts';
import { bodiesSql, countSql, narrowPlanOf, pageSql, walkPlanOf } from './search-plan.ts';
import type { Sql } from './sql.ts';
import { partsOf } from './term-sql.ts';
import { openDatabase } from './sqlite/open-database.ts';
import type { SqliteDatabase } from './sqlite/sqlite.ts';
import { makeTypeIndexes } from './sqlite/type-indexes.ts';

let folder: string;
let database: SqliteDatabase;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-plan-'));
  database = openDatabase(join(folder, 'records.db'), recordMigrations);
  makeTypeIndexes(database);
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

/** What SQLite says that it will do, one step a line. */
function steps({ text, values }: Sql): string[] {
  return database
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
    .all(...values)
    .map(({ detail }) => detail);
}

/** A walk along an index that holds the rows of one type alone, in its order. */
const walk = /^SCAN [rv] USING (?:COVERING )?INDEX (?:record|version)_by_[a-z]+_[A-Z]\w+$/;

/** Steps that read a table from one end to the other, by its rows or by an index of all types. */
const scans = (sql: Sql) =>
  steps(sql).filter((step) => /^SCAN (?:[rfvow]|record|version)\b/.test(step) && !walk.test(step));

/** Steps that read all records of a type, or all index rows of an element, without a value to look for. */
const sweeps = (sql: Sql) => steps(sql).filter((step) => walk.test(step) || step.endsWith('(key=?)'));

function everyShape(criteria: SearchCriteria): Sql[] {
  const narrow = narrowPlanOf(criteria);
  const plans = [...(narrow ? [narrow] : []), walkPlanOf(criteria)];
  return [
    ...(narrow ? [countSql(criteria, narrow)] : []),
    ...partsOf(criteria.type, criteria.terms).map(({ having }) => having),
    ...plans.flatMap((plan) =>
      [true, false].map((changed) => bodiesSql(criteria, { plan, limit: 51, changed })),
    ),
  ];
}

/** The rows of the first page of a search that has a narrow term. */
function narrowPage(criteria: SearchCriteria): Sql {
  const plan = narrowPlanOf(criteria);
  if (!plan) throw new Error('No term of the search is narrow');
  return pageSql(criteria, { plan, limit: 51, changed: false });
}

/** Keys that fit the criteria's order, as a cursor has them. */
function withCursor(criteria: SearchCriteria, backwards: boolean): SearchCriteria {
  const keys = [...criteria.sort.map(({ column }) => (column === 'date' ? 1 : 'x')), 'id'];
  return { ...criteria, cursor: { keys, snapshot: '1', backwards } };
}

const values = { reference: 'x', token: 's|x', date: 'ge2026', string: 'x', uri: 'x' } as const;

const filters = (type: ResourceType): Pair[] =>
  searchParametersOf(type).flatMap(({ name, type: kind, modifiers }): Pair[] => [
    [name, values[kind]],
    ...modifiers.slice(-8).map((one): Pair => [`${name}:${one}`, one === 'missing' ? 'true' : values[kind]]),
  ]);

const prefixes = (type: ResourceType): Pair[] =>
  searchParametersOf(type)
    .filter(({ type: kind }) => kind === 'date')
    .flatMap(({ name }) => datePrefixes.map((prefix): Pair => [name, `${prefix}2026-03`]));

/** Each order that is offered, both ways, and two of them together. */
function orders(type: ResourceType): string[] {
  const names = searchParametersOf(type).flatMap(({ name, sort }) => (sort === undefined ? [] : [name]));
  return [...names.flatMap((name) => [name, `-${name}`]), names.slice(-2).join(',-')];
}

const shapes: [string, ResourceType, Pair[]][] = [
  ...resourceTypes.flatMap((type) => [
    ...[...filters(type), ...prefixes(type)].map((pair): [string, ResourceType, Pair[]] => [
      `${pair.join('=')}, with subject`,
      type,
      [['subject', 'a,Patient/b,urn:uuid:c'], pair],
    ]),
    ...orders(type).map((order): [string, ResourceType, Pair[]] => [
      `_sort=${order}`,
      type,
      [
        ['subject', 'a'],
        ['_sort', order],
      ],
    ]),
  ]),
  ...[...filters('Composition'), ...prefixes('Composition')].map((pair): [string, ResourceType, Pair[]] => [
    `${pair.join('=')}, alone`,
    'Composition',
    [pair],
  ]),
  ...[...orders('Composition'), 'title,-date'].map((order): [string, ResourceType, Pair[]] => [
    `_sort=${order}, alone`,
    'Composition',
    [['_sort', order]],
  ]),
  ['no parameters', 'Composition', []],
];

test.each(shapes)('%s of %s scans no table, on the first page and behind a cursor', (_name, type, pairs) => {
  const criteria = readCriteria(type, pairs);
  const pages = [criteria, withCursor(criteria, false), withCursor(criteria, true)];
  expect(pages.flatMap(everyShape).flatMap(scans)).toEqual([]);
});

test.each(shapes.filter(([, , pairs]) => pairs[0]?.[0] === 'subject'))(
  '%s of %s never reads a whole type',
  (_name, type, pairs) => {
    const criteria = readCriteria(type, pairs);
    const plan = narrowPlanOf(criteria) ?? walkPlanOf(criteria);
    expect([countSql(criteria, plan), narrowPage(criteria)].flatMap(sweeps)).toEqual([]);
  },
);

test('a search by subject enters the index of references by key and target', () => {
  const criteria = readCriteria('CarePlan', [['subject', 'x']]);
  expect(steps(narrowPage(criteria)).join('\n')).toContain('reference_by_target (key=? AND target=?)');
});

test.each([
  ['identifier=x', 'subject=y', 'token_by_code (key=? AND code=?)'],
  ['subject=y', 'encounter=x', 'reference_by_target (key=? AND target=?)'],
])('of %s and %s the rarer drives, whatever their order', (one, other, index) => {
  const pairs = [one, other].map((term): Pair => [term.split('=')[0] ?? '', term.split('=')[1] ?? '']);
  for (const terms of [pairs, pairs.toReversed()]) {
    const plan = narrowPlanOf(readCriteria('CarePlan', terms));
    expect(plan?.driver && steps(plan.driver).join()).toContain(index);
    expect(plan?.driver?.values).toContain('x');
  }
});

test('no statement makes a join of a test, which SQLite would prepare anew at each execution', () => {
  for (const [, type, pairs] of shapes) {
    expect(everyShape(readCriteria(type, pairs)).flatMap(steps).join('\n')).not.toContain('EXISTS USING');
  }
});

test('two bounds of one date are one range of the index, as are two of _lastUpdated', () => {
  const having = (pairs: Pair[]) => {
    const parts = partsOf('Composition', readCriteria('Composition', pairs).terms);
    return parts.map((part) => steps(part.having).join('\n'));
  };
  const date: Pair[] = [
    ['date', 'ge2024-03-01'],
    ['date', 'lt2024-03-02'],
  ];
  expect(having(date)).toEqual([
    expect.stringMatching(
      /date_range_by_low \(key=\? AND low>\? AND low<\?\)[^]*date_range_long \(key=\? AND high>\?\)/,
    ),
  ]);
  const updated: Pair[] = [
    ['_lastUpdated', 'ge2024-03-01'],
    ['_lastUpdated', 'lt2024-03-02'],
  ];
  expect(having(updated)).toEqual([expect.stringContaining('(last_updated>? AND last_updated<?)')]);
});

test.each([
  ['title', 'SCAN r USING INDEX record_by_title_Composition'],
  ['-date', 'SCAN r USING INDEX record_by_date_Composition'],
])('_sort=%s walks its index in order and sorts nothing', (sort, index) => {
  const criteria = readCriteria('Composition', [['_sort', sort]]);
  const found = steps(pageSql(criteria, { plan: walkPlanOf(criteria), limit: 2, changed: false }));
  expect(found.join('\n')).toContain(index);
  expect(found.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
});

const since = '2026-01-01T00:00:00.000Z';
const after = `1@${since}`;

test.each([
  ['type', {}],
  ['type, since', { since }],
  ['type, second page', { after }],
  ['instance', { id: 'x' }],
  ['instance, since, second page', { id: 'x', since, after }],
])('the history of a %s scans no table and sorts nothing', (_name, query) => {
  const found = [historySql('CarePlan', query, 2), historyCountSql('CarePlan', query)];
  expect(found.flatMap(scans)).toEqual([]);
  expect(found.flatMap(steps).filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
});

test('who looks for plans that overlap reads the rows of each plan by its number', () => {
  const asked = resourceTypes.flatMap((type) => overlapSql(type, sqliteDialect) ?? []);
  expect(asked).not.toEqual([]);
  const searches = asked
    .flatMap(steps)
    .filter((step) => step.startsWith('SEARCH') && !step.startsWith('SEARCH r '));
  expect(searches.filter((step) => !step.includes('USING INTEGER PRIMARY KEY'))).toEqual([]);
});
