import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { indexRows } from '../../../core/derive/derive.ts';
import { readCriteria, type Pair } from '../../../core/fhir/search.ts';
import { scan } from '../../../core/json/scan.ts';
import { MatchSets } from './match-sets.ts';
import { recordMigrations } from './migrations.ts';
import { openDatabase } from '../../sqlite/open-database.ts';
import type { Sql } from '../sql.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';
import { Statements } from './statements.ts';
import { versionWriter, IndexBacklog, type VersionWriter } from './version-writer.ts';

/** Records the text of each statement that builds or updates a set. */
class RecordingStatements extends Statements {
  readonly queries: string[] = [];

  override numbers(query: Sql): number[] {
    this.queries.push(query.text);
    return super.numbers(query);
  }

  override eachNumber(query: Sql, ...parameters: [column: string, visit: (number: number) => void]): void {
    this.queries.push(query.text);
    super.eachNumber(query, ...parameters);
  }
}

let folder: string;
let database: SqliteDatabase;
let statements: RecordingStatements;
let sets: MatchSets;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-sets-'));
  database = openDatabase(join(folder, 'records.db'), recordMigrations);
  statements = new RecordingStatements(database);
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
  backlog.writeAll();
}

const add = (ids: readonly string[], status: string) =>
  write((writer) => ids.forEach((id) => writer.insert(versionOf(id, 1, status))));

const count = (...query: Pair[]) => sets.findMatches(readCriteria('Composition', query)).size;
const createIds = (prefix: string) => Array.from({ length: 30 }, (_, number) => `${prefix}${number}`);
/** Lists the statements that scan all records. */
const listScans = () => statements.queries.filter((text) => !/NOT INDEXED WHERE pk > |json_each/.test(text));

const wide: [Pair, number, number][] = [
  [['status', 'final'], 31, 30],
  [['status:not', 'amended'], 31, 30],
  [['title:contains', 't'], 32, 32],
  [['type:missing', 'true'], 32, 32],
  [['type:missing', 'false'], 0, 0],
  [['date', 'ne2025'], 32, 32],
  [['_lastUpdated', 'ge2026'], 32, 32],
];

test.each(wide)(
  'examines only later writes for a repeated search: %s',
  (pair, countAfterAdd, countAfterChange) => {
    add(createIds('a'), 'final');
    expect(count(pair)).toBe(pair[1] === 'false' ? 0 : 30);
    const before = listScans().length;
    add(['b'], 'final');
    add(['c'], 'amended');
    expect(count(pair)).toBe(countAfterAdd);
    write((writer) => writer.replace(versionOf('a1', 2, 'amended'), 1));
    expect(count(pair)).toBe(countAfterChange);
    expect(listScans()).toHaveLength(before);
  },
);

test('combines known sets for a search of several criteria without a scan', () => {
  add(createIds('a'), 'final');
  add(createIds('b'), 'amended');
  count(['status', 'amended']);
  count(['title', 't b1']);
  const before = statements.queries.length;
  expect(count(['status', 'amended'], ['title', 't b1'])).toBe(11);
  expect(count(['status:not', 'amended'], ['title', 't b1'])).toBe(0);
  expect(statements.queries).toHaveLength(before);
});

test('treats two bounds of one date as one part', () => {
  add(createIds('a'), 'final');
  expect(count(['date', 'ge2026-01-01'], ['date', 'lt2026-02-01'])).toBe(30);
  expect(statements.queries).toHaveLength(1);
});

test('discards sets after a rollback or a removal of records', () => {
  add(createIds('a'), 'final');
  database.exec('BEGIN');
  add(['b'], 'final');
  expect(count(['status', 'final'])).toBe(31);
  database.exec('ROLLBACK');
  sets.forget();
  add(['c'], 'amended');
  expect(count(['status', 'final'])).toBe(30);
});

test('evicts the sets that were not used lately', () => {
  add(createIds('a'), 'final');
  count(['status', 'final']);
  for (let number = 0; number < 149; number += 1) count(['title', `t a${number}`]);
  count(['status', 'final']);
  count(['title', 'one more']);
  const before = statements.queries.length;
  count(['status', 'final']);
  expect(statements.queries).toHaveLength(before);
  count(['title', 't a0']);
  expect(statements.queries).toHaveLength(before + 1);
});
