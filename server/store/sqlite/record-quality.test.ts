import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { indexRows } from '../../../core/derive/derive.ts';
import { fold } from '../../../core/fhir/search-values.ts';
import { scan } from '../../../core/json/scan.ts';
import { issueSum } from './index-writer.ts';
import { recordMigrations } from './migrations.ts';
import { sqliteDialect } from '../../sqlite/dialect.ts';
import { issueCountSql, issuePageSql } from '../issue-sql.ts';
import { recordQuality } from './record-quality.ts';
import type { IssueQuery } from '../issue-query.ts';
import type { Sql } from '../sql.ts';
import { openDatabase } from '../../sqlite/open-database.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';
import { versionWriter, IndexBacklog } from './version-writer.ts';

let folder: string;
let database: SqliteDatabase;
let writer: ReturnType<typeof versionWriter>;

const issue = (rule: string, pointer: string): IssueRow => ({
  rule,
  severity: rule.startsWith('schema') ? 'error' : 'warning',
  category: 'conformance',
  pointer,
});

function versionOf(number: number, version: number, issues: readonly IssueRow[]) {
  const type = number % 2 ? 'CarePlan' : 'Composition';
  const text = `{"resourceType":"${type}","id":"r-${number}","title":"Ärzte ${number}","subject":{"reference":"Patient/P${number % 5}"}}`;
  const stamp = { id: `r-${number}`, version, lastUpdated: new Date(version).toISOString(), text };
  return {
    ...stamp,
    type,
    operation: 'import',
    author: 'test',
    index: indexRows(type, scan(text).root),
    issues,
  } as const;
}

const brokenIssues = [issue('schema-code', '/status'), issue('schema-code', '/intent'), issue('ext-1', '/a')];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-quality-'));
  database = openDatabase(join(folder, 'records.db'), recordMigrations);
  const backlog = new IndexBacklog(database);
  writer = versionWriter(database, backlog);
  for (let number = 0; number < 200; number += 1) {
    writer.insert(versionOf(number, 1, brokenIssues.slice(0, number % 4)));
  }
  backlog.writeAll();
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const textOf = (part: string, rules: string[] = []) => ({ part, title: fold(part), rules });

function listAllPages(query: IssueQuery, size: number) {
  const quality = recordQuality(database);
  const rows: string[] = [];
  for (let after: string | undefined; ;) {
    const page = quality.readIssues(quality.rows(query, after, size));
    rows.push(...page.map(({ id, rule, pointer }) => `${id} ${rule} ${pointer}`));
    if (page.length < size) return rows;
    after = page.at(-1)?.place;
  }
}

test('counts records and findings per rule and type', () => {
  const { counts, flagged: flaggedCounts } = recordQuality(database).counts({});
  expect(flaggedCounts).toEqual({ CarePlan: 100, Composition: 50 });
  expect(counts).toEqual([
    expect.objectContaining({ rule: 'ext-1', type: 'CarePlan', records: 50, findings: 50 }),
    expect.objectContaining({ rule: 'schema-code', type: 'CarePlan', records: 100, findings: 150 }),
    expect.objectContaining({ rule: 'schema-code', type: 'Composition', records: 50, findings: 100 }),
  ]);
});

test.each<IssueQuery>([
  {},
  { rule: 'schema-code' },
  { type: 'CarePlan' },
  { severity: 'warning' },
  { text: textOf('p3') },
])('returns each finding once over all pages of %j', (query) => {
  const allRows = listAllPages(query, 1000);
  expect(allRows.length).toBeGreaterThan(0);
  expect(new Set(allRows).size).toBe(allRows.length);
  expect(listAllPages(query, 7)).toEqual(allRows);
  const counts = recordQuality(database).counts(query).counts;
  expect(counts.reduce((sum, { findings }) => sum + findings, 0)).toBe(allRows.length);
});

test.each([
  [
    'title, without regard to case',
    'ärzte 17',
    ['r-17', 'r-170', 'r-171', 'r-173', 'r-174', 'r-175', 'r-177', 'r-178', 'r-179'],
  ],
  ['id', 'r-199', ['r-199']],
  ['subject', 'p4', undefined],
])('finds text by %s', (_, part, ids) => {
  const matches = new Set(listAllPages({ text: textOf(part) }, 500).map((row) => row.split(' ')[0] ?? ''));
  if (ids) expect([...matches]).toEqual(ids);
  else expect([...matches].every((id) => Number(id.slice(2)) % 5 === 4)).toBe(true);
});

test('finds text by the rules that it names', () => {
  expect(listAllPages({ text: textOf('no such part', ['ext-1']) }, 500)).toHaveLength(50);
});

test('stores the checksum of the issue rows, also for records without one', () => {
  const sumOfRows = issueSum(database);
  const sum = database
    .prepare<unknown[], number | null>("SELECT issues_crc32 FROM record WHERE id = 'r-400'")
    .pluck();
  const { pk } = database
    .prepare<unknown[], { pk: number }>('SELECT coalesce(max(pk), 0) + 1 AS pk FROM record')
    .get() ?? { pk: 0 };
  const sums = [brokenIssues, brokenIssues.slice(1), brokenIssues.slice(1), []].map((issues, index) => {
    const version = versionOf(400, index + 1, issues);
    if (index === 0) writer.insert(version);
    else writer.replace(version, index);
    expect(sum.get()).toBe(sumOfRows(pk));
    return sum.get();
  });
  expect(new Set(sums).size).toBe(3);
  database.exec("UPDATE record SET issues_crc32 = NULL WHERE id = 'r-400'");
  writer.replace(versionOf(400, 5, []), 4);
  expect(sum.get()).toBe(sums.at(-1));
});

test('recomputes the counts after a write', () => {
  const quality = recordQuality(database);
  const before = quality.counts({});
  expect(quality.counts({})).toBe(before);
  writer.replace(versionOf(3, 2, []), 1);
  expect(quality.counts({}).flagged.CarePlan).toBe(before.flagged.CarePlan - 1);
});

test('caches slow counts for a while despite writes', () => {
  let now = 0;
  const quality = recordQuality(database, () => (now += 1000));
  const before = quality.counts({});
  writer.replace(versionOf(7, 2, []), 1);
  expect(quality.counts({})).toBe(before);
  now += 60_000;
  expect(quality.counts({}).flagged.CarePlan).toBe(before.flagged.CarePlan - 1);
});

test.each<[string, Sql]>([
  ['the counts of all', issueCountSql({}, sqliteDialect)],
  ['the counts of a rule', issueCountSql({ rule: 'ext-1' }, sqliteDialect)],
  ['the counts of a type', issueCountSql({ type: 'CarePlan' }, sqliteDialect)],
  ['a page of a rule', issuePageSql({ rule: 'ext-1' }, '5-5', 100, sqliteDialect)],
  ['a page of all', issuePageSql({}, '5-5', 100, sqliteDialect)],
])('reads %s through an index, in its order', (name, { text, values }) => {
  const plan = database
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
    .all(...values)
    .map(({ detail }) => detail);
  expect(
    plan.filter((step) => /^(SCAN|SEARCH) [ij]\b/.test(step)).every((step) => step.includes(' INDEX ')),
  ).toBe(true);
  expect(plan.filter((step) => step.startsWith('SEARCH r '))).toEqual(
    plan.filter((step) => step.startsWith('SEARCH r USING INTEGER PRIMARY KEY')),
  );
  if (name.startsWith('a page')) expect(plan.join('\n')).not.toContain('TEMP B-TREE');
});
