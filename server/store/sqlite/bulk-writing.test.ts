import { mkdtemp, rm } from 'node:fs/promises';
import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BulkWriting } from './bulk-writing.ts';
import { closeDatabase, openDatabase } from './open-database.ts';
import type { SqliteDatabase } from './sqlite.ts';

let folder: string;
let database: SqliteDatabase;
let bulk: BulkWriting;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-bulk-'));
  database = openDatabase(join(folder, 'test.db'), migrations);
  bulk = new BulkWriting();
  bulk.use(database);
});
afterEach(async () => {
  if (database.open) closeDatabase(database);
  await rm(folder, { recursive: true, force: true });
});

const migrations = ['CREATE TABLE t (x BLOB) STRICT;'];
const mebibyte = 1024 ** 2;

/** Bytes that the log reached while so many MiB were written, one in each transaction. */
function logAfter(writes: number): number {
  for (let write = 0; write < writes; write += 1) {
    bulk.makeRoom();
    database.prepare('INSERT INTO t VALUES (?)').run(Buffer.alloc(mebibyte));
  }
  return statSync(join(folder, 'test.db-wal')).size;
}

test('while anyone writes in great number, little goes into the database at once', () => {
  const [first, second] = [bulk.begin(), bulk.begin()];
  expect(logAfter(10)).toBeLessThan(6 * mebibyte);
  first();
  expect(logAfter(10)).toBeLessThan(6 * mebibyte);
  second();
  expect(logAfter(12)).toBeGreaterThan(12 * mebibyte);
});

test('a database that was opened anew is written in the same way', () => {
  bulk.begin();
  closeDatabase(database);
  database = openDatabase(join(folder, 'test.db'), migrations);
  bulk.use(database);
  expect(logAfter(10)).toBeLessThan(6 * mebibyte);
});

test('room is made once enough has gathered, and only while someone writes in great number', () => {
  logAfter(5);
  expect(bulk.makeRoom()).toBe(false);
  bulk.begin();
  expect([bulk.makeRoom(), bulk.makeRoom()]).toEqual([true, false]);
});

test('where the disk is slow, less goes into the database at once', () => {
  let now = 0;
  bulk = new BulkWriting(() => (now += 75));
  bulk.use(database);
  bulk.begin();
  const made = Array.from({ length: 6 }, () => {
    database.prepare('INSERT INTO t VALUES (?)').run(Buffer.alloc(mebibyte));
    return bulk.makeRoom();
  });
  expect(made).toEqual([false, false, false, true, true, true]);
});

test('an end after the database was closed is no fault', () => {
  const ended = bulk.begin();
  closeDatabase(database);
  expect(ended).not.toThrow();
});
