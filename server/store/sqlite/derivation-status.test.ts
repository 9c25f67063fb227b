import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DerivationStatus } from './derivation-status.ts';
import { recordMigrations } from './migrations.ts';
import { closeDatabase, openDatabase } from '../../sqlite/open-database.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';

let folder: string;
let database: SqliteDatabase;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-coverage-'));
  database = openDatabase(join(folder, 'records.db'), recordMigrations);
});
afterEach(() => {
  closeDatabase(database);
  rmSync(folder, { recursive: true });
});

const a = [
  { name: 'one', stamp: 'a1' },
  { name: 'two', stamp: 'a2' },
];
/** Derivations of another version of the program: one part differs. */
const b = [
  { name: 'one', stamp: 'a1' },
  { name: 'two', stamp: 'b2' },
];

function addRecord(): void {
  database.exec(
    `INSERT INTO record (type, id, version, last_updated, sort_date, status, title, current)
     VALUES ('CarePlan', 'x', 1, '', 0, '', '', 1)`,
  );
}

/** Opens the file with the derivations of a program. */
function openStatus(derivations: typeof a): DerivationStatus {
  const status = new DerivationStatus(database, derivations);
  status.storePlan(0);
  return status;
}

const listRebuildParts = ({ rebuild }: DerivationStatus) => rebuild && [...rebuild.parts].sort();

test('treats all parts as current without records, and unknown parts as outdated with records', () => {
  expect(listRebuildParts(openStatus(a))).toBeUndefined();
  addRecord();
  expect([...openStatus(a).currentParts.keys()]).toEqual(['one', 'two']);
  database.exec('DELETE FROM derivation');
  expect(openStatus(a).rebuild).toMatchObject({ lastRebuiltPk: 0, endPk: 1, parts: new Set(['one', 'two']) });
});

test('never mixes the rows of two programs that open a file in turn', () => {
  openStatus(a);
  addRecord();
  expect(listRebuildParts(openStatus(b))).toEqual(['two']);
  // Rows that the other program wrote can't be told apart.
  expect(listRebuildParts(openStatus(a))).toEqual(['two']);
  expect([...openStatus(a).currentParts.keys()]).toEqual(['one']);
});

test('resumes a rebuild of the same program and restarts it for another', () => {
  openStatus(a);
  addRecord();
  openStatus(b).storeProgress(1, 1);
  expect(openStatus(b).rebuild).toMatchObject({ lastRebuiltPk: 1, skippedCount: 1 });
  expect(openStatus(a).rebuild).toMatchObject({ lastRebuiltPk: 0, skippedCount: 0 });
});

test('keeps a requested rebuild of current parts and their status', () => {
  openStatus(a);
  addRecord();
  const status = openStatus(a);
  status.startRebuildOf(new Set(['one']), 0);
  expect([...openStatus(a).currentParts.keys()]).toEqual(['one', 'two']);
  expect(listRebuildParts(openStatus(a))).toEqual(['one']);
  // The other program also rebuilds it, together with its outdated part.
  expect(listRebuildParts(openStatus(b))).toEqual(['one', 'two']);
  openStatus(b).finishRebuild(7);
  expect([...openStatus(b).currentParts]).toEqual([
    ['one', 7],
    ['two', 7],
  ]);
  expect(openStatus(b).rebuild).toBeUndefined();
});

test('drops parts that the program does not know', () => {
  openStatus(a);
  addRecord();
  expect(listRebuildParts(openStatus(a.slice(0, 1)))).toBeUndefined();
  expect(listRebuildParts(openStatus(a))).toEqual(['two']);
});
