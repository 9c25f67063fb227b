import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { datePrefixes, searchParametersOf } from '../../../core/fhir/search-parameters.ts';
import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { readCriteria, type Pair } from '../../../core/fhir/search.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { sqliteDialect } from '../../sqlite/dialect.ts';
import { recordMigrations } from './migrations.ts';
import { historyCountSql } from '../history-rows.ts';
import { historySql } from './record-history.ts';
import { overlapSql } from '../relation-sql.ts';
import { buildSelectivePlan, buildScanPlan } from '../search-plan.ts';
import { bodiesSql, countSql, pageSql } from './page-sql.ts';
import type { Sql } from '../sql.ts';
import { partsOf } from '../term-sql.ts';
import { openDatabase } from '../../sqlite/open-database.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';
import { makeTypeIndexes } from '../../sqlite/type-indexes.ts';

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

/** Returns the steps of SQLite's query plan. */
function steps({ text, values }: Sql): string[] {
  return database
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
    .all(...values)
    .map(({ detail }) => detail);
}

/** A step that reads an index of one type in its order. */
const orderedStep = /^SCAN [rv] USING (?:COVERING )?INDEX (?:record|version)_by_[a-z]+_[A-Z]\w+$/;

/** Returns steps that read a whole table, by its rows or by an index of all types. */
const scans = (sql: Sql) =>
  steps(sql).filter((step) => /^SCAN (?:[rfvow]|record|version)\b/.test(step) && !orderedStep.test(step));

/** Returns steps that read all records of a type, or all index rows of an element, without a value. */
const sweeps = (sql: Sql) => steps(sql).filter((step) => orderedStep.test(step) || step.endsWith('(key=?)'));

function everyShape(criteria: SearchCriteria): Sql[] {
  const selectivePlan = buildSelectivePlan(criteria, sqliteDialect);
  const plans = [...(selectivePlan ? [selectivePlan] : []), buildScanPlan(criteria, sqliteDialect)];
  return [
    ...(selectivePlan ? [countSql(criteria, selectivePlan)] : []),
    ...partsOf(criteria.type, criteria.terms, sqliteDialect).map(({ having }) => having),
    ...plans.flatMap((plan) =>
      [true, false].map((hasChanges) => bodiesSql(criteria, { plan, limit: 51, hasChanges })),
    ),
  ];
}

/** Returns the SQL of the first page of a selective search. */
function selectivePage(criteria: SearchCriteria): Sql {
  const plan = buildSelectivePlan(criteria, sqliteDialect);
  if (!plan) throw new Error('No term of the search is narrow');
  return pageSql(criteria, { plan, limit: 51, hasChanges: false });
}

/** Adds a cursor whose keys fit the order of the criteria. */
function withCursor(criteria: SearchCriteria, backwards: boolean): SearchCriteria {
  const keys = [...criteria.sort.map(({ column }) => (column === 'date' ? 1 : 'x')), 'id'];
  return { ...criteria, cursor: { keys, snapshot: '1', backwards } };
}

const values = { reference: 'x', token: 's|x', date: 'ge2026', string: 'x', uri: 'x' } as const;

const filters = (type: ResourceType): Pair[] =>
  searchParametersOf(type).flatMap(({ name, type: kind, modifiers }): Pair[] => [
    [name, values[kind]],
    ...modifiers
      .slice(-8)
      .map((modifier): Pair => [`${name}:${modifier}`, modifier === 'missing' ? 'true' : values[kind]]),
  ]);

const prefixes = (type: ResourceType): Pair[] =>
  searchParametersOf(type)
    .filter(({ type: kind }) => kind === 'date')
    .flatMap(({ name }) => datePrefixes.map((prefix): Pair => [name, `${prefix}2026-03`]));

/** Returns each supported order in both directions, and two orders together. */
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

test.each(shapes)('%s of %s scans no table, on the first page and after a cursor', (_name, type, pairs) => {
  const criteria = readCriteria(type, pairs);
  const pages = [criteria, withCursor(criteria, false), withCursor(criteria, true)];
  expect(pages.flatMap(everyShape).flatMap(scans)).toEqual([]);
});

test.each(shapes.filter(([, , pairs]) => pairs[0]?.[0] === 'subject'))(
  '%s of %s never reads a whole type',
  (_name, type, pairs) => {
    const criteria = readCriteria(type, pairs);
    const plan = buildSelectivePlan(criteria, sqliteDialect) ?? buildScanPlan(criteria, sqliteDialect);
    expect([countSql(criteria, plan), selectivePage(criteria)].flatMap(sweeps)).toEqual([]);
  },
);

test('searches by subject in the index of references by key and target', () => {
  const criteria = readCriteria('CarePlan', [['subject', 'x']]);
  expect(steps(selectivePage(criteria)).join('\n')).toContain('reference_by_target (key=? AND target=?)');
});

test.each([
  ['identifier=x', 'subject=y', 'token_by_code (key=? AND code=?)'],
  ['subject=y', 'encounter=x', 'reference_by_target (key=? AND target=?)'],
])('drives by the more selective of %s and %s in any order', (firstTerm, secondTerm, index) => {
  const pairs = [firstTerm, secondTerm].map((term): Pair => [
    term.split('=')[0] ?? '',
    term.split('=')[1] ?? '',
  ]);
  for (const terms of [pairs, pairs.toReversed()]) {
    const plan = buildSelectivePlan(readCriteria('CarePlan', terms), sqliteDialect);
    expect(plan?.driver && steps(plan.driver).join()).toContain(index);
    expect(plan?.driver?.values).toContain('x');
  }
});

test('never joins a test, because SQLite would prepare the statement at each execution', () => {
  for (const [, type, pairs] of shapes) {
    expect(everyShape(readCriteria(type, pairs)).flatMap(steps).join('\n')).not.toContain('EXISTS USING');
  }
});

test('combines two bounds of a date or of _lastUpdated into one index range', () => {
  const having = (pairs: Pair[]) => {
    const parts = partsOf('Composition', readCriteria('Composition', pairs).terms, sqliteDialect);
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
  const planSteps = steps(
    pageSql(criteria, { plan: buildScanPlan(criteria, sqliteDialect), limit: 2, hasChanges: false }),
  );
  expect(planSteps.join('\n')).toContain(index);
  expect(planSteps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
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
  const statements = [historySql('CarePlan', query, 2), historyCountSql('CarePlan', query)];
  expect(statements.flatMap(scans)).toEqual([]);
  expect(statements.flatMap(steps).filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
});

test('reads the rows of each plan by key when it looks for overlapping plans', () => {
  const statements = resourceTypes.flatMap((type) => overlapSql(type, sqliteDialect) ?? []);
  expect(statements).not.toEqual([]);
  const searches = statements
    .flatMap(steps)
    .filter((step) => step.startsWith('SEARCH') && !step.startsWith('SEARCH r '));
  expect(searches.filter((step) => !step.includes('USING INTEGER PRIMARY KEY'))).toEqual([]);
});
