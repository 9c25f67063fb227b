import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { indexRows } from '../../core/fhir/index-rows.ts';
import { readCriteria } from '../../core/fhir/search.ts';
import { scan } from '../../core/json/scan.ts';
import { MatchCounts } from './match-counts.ts';
import { IndexBacklog } from './index-backlog.ts';
import { recordMigrations } from './migrations.ts';
import { openDatabase } from './open-database.ts';
import { planOf } from './search-plan.ts';
import type { Sql } from './sql.ts';
import type { SqliteDatabase } from './sqlite.ts';
import { Statements } from './statements.ts';
import { versionWriter, type VersionWriter } from './version-writer.ts';

/** Keeps the text of each statement that counts. */
class Watched extends Statements {
  readonly counted: string[] = [];

  override number(query: Sql): number {
    if (query.text.includes('count(*)')) this.counted.push(query.text);
    return super.number(query);
  }
}

let folder: string;
let database: SqliteDatabase;
let statements: Watched;
let counts: MatchCounts;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-counts-'));
  database = openDatabase(join(folder, 'records.db'), recordMigrations);
  statements = new Watched(database);
  counts = new MatchCounts(statements);
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

function versionOf(id: string, version: number, status: string) {
  const text = `{"resourceType":"Composition","status":"${status}","title":"T ${id}","date":"2026-01"}`;
  const rows = { index: indexRows('Composition', scan(text).root), issues: [] };
  const lastUpdated = '2026-01-02T00:00:00.000Z';
  const facts = { id, version, lastUpdated, operation: 'create', author: 'test' } as const;
  return { ...facts, ...rows, text, type: 'Composition' } as const;
}

function write(work: (writer: VersionWriter) => void): void {
  const backlog = new IndexBacklog(database);
  work(versionWriter(database, backlog));
  backlog.settle();
}

function add(ids: readonly string[], status: string): void {
  write((writer) => ids.forEach((id) => writer.insert(versionOf(id, 1, status))));
  counts.moved();
}

function count(query: readonly (readonly [string, string])[]): number {
  const criteria = readCriteria('Composition', query);
  return counts.count(criteria, planOf(criteria));
}

const many = (prefix: string) => Array.from({ length: 30 }, (_, number) => `${prefix}${number}`);
const newer = 'r.pk > ?';

test.each([
  ['status', 'final'],
  ['status:not', 'amended'],
  ['title:contains', 't'],
  ['type:missing', 'true'],
] as const)('%s=%s: of records that were added, only they are looked at', (name, value) => {
  add(many('a'), 'final');
  expect(count([[name, value]])).toBe(30);
  add(['b'], 'final');
  expect(count([[name, value]])).toBe(31);
  add(['c'], 'amended');
  expect(count([[name, value]])).toBe(name.startsWith('status') ? 31 : 32);
  const [first, ...others] = statements.counted;
  expect(first).not.toContain(newer);
  expect(others.map((text) => text.includes(newer))).toEqual([true, true]);
});

test('nothing is counted where nothing was written', () => {
  add(['a'], 'final');
  count([['status', 'final']]);
  count([['status', 'final']]);
  expect(statements.counted).toHaveLength(1);
});

test('a record that was changed is counted anew, also beside others that were added', () => {
  add(many('a'), 'final');
  expect(count([['status', 'final']])).toBe(30);
  write((writer) => writer.replace(versionOf('a1', 2, 'amended'), 1));
  add(['b'], 'final');
  expect(count([['status', 'final']])).toBe(30);
  expect(count([['status', 'amended']])).toBe(1);
});

test('what was counted before a write was undone is forgotten', () => {
  add(many('a'), 'final');
  database.exec('BEGIN');
  add(['b'], 'final');
  expect(count([['status', 'final']])).toBe(31);
  database.exec('ROLLBACK');
  counts.forget();
  add(['c'], 'amended');
  expect(count([['status', 'final']])).toBe(30);
});
