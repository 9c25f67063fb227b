import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { indexRows } from '../../../core/fhir/index-rows.ts';
import { readCriteria, type Pair } from '../../../core/fhir/search.ts';
import { scan } from '../../../core/json/scan.ts';
import { MatchSets } from './match-sets.ts';
import { IndexBacklog } from './index-backlog.ts';
import { recordMigrations } from './migrations.ts';
import { openDatabase } from './open-database.ts';
import type { Sql } from '../sql.ts';
import type { SqliteDatabase } from './sqlite.ts';
import { Statements } from './statements.ts';
import { versionWriter, type VersionWriter } from './version-writer.ts';

/** Keeps the text of each statement that makes or mends a set. */
class Watched extends Statements {
  readonly asked: string[] = [];

  override numbers(query: Sql): number[] {
    this.asked.push(query.text);
    return super.numbers(query);
  }

  override eachNumber(query: Sql, ...rest: [column: string, visit: (number: number) => void]): void {
    this.asked.push(query.text);
    super.eachNumber(query, ...rest);
  }
}

let folder: string;
let database: SqliteDatabase;
let statements: Watched;
let sets: MatchSets;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-sets-'));
  database = openDatabase(join(folder, 'records.db'), recordMigrations);
  statements = new Watched(database);
  sets = new MatchSets(statements);
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

const add = (ids: readonly string[], status: string) =>
  write((writer) => ids.forEach((id) => writer.insert(versionOf(id, 1, status))));

const count = (...query: Pair[]) => sets.of(readCriteria('Composition', query)).size;
const many = (prefix: string) => Array.from({ length: 30 }, (_, number) => `${prefix}${number}`);
/** The statements that go through all records. */
const made = () => statements.asked.filter((text) => !/NOT INDEXED WHERE pk > |json_each/.test(text));

const wide: [Pair, number, number][] = [
  [['status', 'final'], 31, 30],
  [['status:not', 'amended'], 31, 30],
  [['title:contains', 't'], 32, 32],
  [['type:missing', 'true'], 32, 32],
  [['type:missing', 'false'], 0, 0],
  [['date', 'ne2025'], 32, 32],
  [['_lastUpdated', 'ge2026'], 32, 32],
];

test.each(wide)('%s: of what was written since, only it is looked at', (pair, added, changed) => {
  add(many('a'), 'final');
  expect(count(pair)).toBe(pair[1] === 'false' ? 0 : 30);
  const before = made().length;
  add(['b'], 'final');
  add(['c'], 'amended');
  expect(count(pair)).toBe(added);
  write((writer) => writer.replace(versionOf('a1', 2, 'amended'), 1));
  expect(count(pair)).toBe(changed);
  expect(made()).toHaveLength(before);
});

test('parts are shared: a search of two that were asked before goes through nothing', () => {
  add(many('a'), 'final');
  add(many('b'), 'amended');
  count(['status', 'amended']);
  count(['title', 't b1']);
  const before = statements.asked.length;
  expect(count(['status', 'amended'], ['title', 't b1'])).toBe(11);
  expect(count(['status:not', 'amended'], ['title', 't b1'])).toBe(0);
  expect(statements.asked).toHaveLength(before);
});

test('two bounds of one date are one part', () => {
  add(many('a'), 'final');
  expect(count(['date', 'ge2026-01-01'], ['date', 'lt2026-02-01'])).toBe(30);
  expect(statements.asked).toHaveLength(1);
});

test('what was found before a write was undone, or records were removed, is forgotten', () => {
  add(many('a'), 'final');
  database.exec('BEGIN');
  add(['b'], 'final');
  expect(count(['status', 'final'])).toBe(31);
  database.exec('ROLLBACK');
  sets.forget();
  add(['c'], 'amended');
  expect(count(['status', 'final'])).toBe(30);
});

test('of more sets than are kept, those asked for lately stay', () => {
  add(many('a'), 'final');
  count(['status', 'final']);
  for (let number = 0; number < 149; number += 1) count(['title', `t a${number}`]);
  count(['status', 'final']);
  count(['title', 'one more']);
  const before = statements.asked.length;
  count(['status', 'final']);
  expect(statements.asked).toHaveLength(before);
  count(['title', 't a0']);
  expect(statements.asked).toHaveLength(before + 1);
});
