import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Coverage } from './coverage.ts';
import { recordMigrations } from './migrations.ts';
import { closeDatabase, openDatabase } from './open-database.ts';
import type { SqliteDatabase } from './sqlite.ts';

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
/** Another program: one part is made otherwise. */
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

/** A program with these derivations opens the file. */
function opened(by: typeof a): Coverage {
  const coverage = new Coverage(database, by);
  coverage.settle(0);
  return coverage;
}

const partsOf = ({ rebuild }: Coverage) => rebuild && [...rebuild.parts].sort();

test('without records all is covered; with them, what nobody noted is to be made anew', () => {
  expect(partsOf(opened(a))).toBeUndefined();
  addRecord();
  expect([...opened(a).covered.keys()]).toEqual(['one', 'two']);
  database.exec('DELETE FROM derivation');
  expect(opened(a).rebuild).toMatchObject({ done: 0, last: 1, parts: new Set(['one', 'two']) });
});

test('two programs that open a file in turn never take each other’s rows for their own', () => {
  opened(a);
  addRecord();
  expect(partsOf(opened(b))).toEqual(['two']);
  // What the other wrote meanwhile is not told from the rest.
  expect(partsOf(opened(a))).toEqual(['two']);
  expect([...opened(a).covered.keys()]).toEqual(['one']);
});

test('a rebuild goes on where it was for the same program, and begins anew for another', () => {
  opened(a);
  addRecord();
  opened(b).advance(1, 1);
  expect(opened(b).rebuild).toMatchObject({ done: 1, skipped: 1 });
  expect(opened(a).rebuild).toMatchObject({ done: 0, skipped: 0 });
});

test('what is made anew though it is covered stays covered, and is gone on with', () => {
  opened(a);
  addRecord();
  const coverage = opened(a);
  coverage.begin(new Set(['one']), 0);
  expect([...opened(a).covered.keys()]).toEqual(['one', 'two']);
  expect(partsOf(opened(a))).toEqual(['one']);
  // Another program makes it anew too, beside what it lacks.
  expect(partsOf(opened(b))).toEqual(['one', 'two']);
  opened(b).end(7);
  expect([...opened(b).covered]).toEqual([
    ['one', 7],
    ['two', 7],
  ]);
  expect(opened(b).rebuild).toBeUndefined();
});

test('a part that a program does not know is forgotten: it writes no rows of it', () => {
  opened(a);
  addRecord();
  expect(partsOf(opened(a.slice(0, 1)))).toBeUndefined();
  expect(partsOf(opened(a))).toEqual(['two']);
});
