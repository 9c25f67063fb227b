import { mkdtemp, rm } from 'node:fs/promises';
import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BulkWriting } from './write-queue.ts';
import { closeDatabase, openDatabase } from '../../sqlite/open-database.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';

let folder: string;
let database: SqliteDatabase;
let bulk: BulkWriting;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-bulk-'));
  database = openDatabase(join(folder, 'test.db'), migrations);
  bulk = new BulkWriting();
  bulk.attach(database);
});
afterEach(async () => {
  if (database.open) closeDatabase(database);
  await rm(folder, { recursive: true, force: true });
});

const migrations = ['CREATE TABLE t (x BLOB) STRICT;'];
const mebibyte = 1024 ** 2;

/** Writes MiB by MiB, one in each transaction. Returns the size of the WAL in bytes. */
function logAfter(writes: number): number {
  for (let write = 0; write < writes; write += 1) {
    bulk.checkpointIfFull();
    database.prepare('INSERT INTO t VALUES (?)').run(Buffer.alloc(mebibyte));
  }
  return statSync(join(folder, 'test.db-wal')).size;
}

test('keeps checkpoints small until the last bulk writer ends', () => {
  const [endFirst, endSecond] = [bulk.startWriter(), bulk.startWriter()];
  expect(logAfter(10)).toBeLessThan(6 * mebibyte);
  endFirst();
  expect(logAfter(10)).toBeLessThan(6 * mebibyte);
  endSecond();
  expect(logAfter(12)).toBeGreaterThan(12 * mebibyte);
});

test('applies to a reopened database', () => {
  bulk.startWriter();
  closeDatabase(database);
  database = openDatabase(join(folder, 'test.db'), migrations);
  bulk.attach(database);
  expect(logAfter(10)).toBeLessThan(6 * mebibyte);
});

test('checkpoints a large WAL only during bulk writing', () => {
  logAfter(5);
  expect(bulk.checkpointIfFull()).toBe(false);
  bulk.startWriter();
  expect([bulk.checkpointIfFull(), bulk.checkpointIfFull()]).toEqual([true, false]);
});

test('checkpoints fewer pages on a slow disk', () => {
  let now = 0;
  bulk = new BulkWriting(() => (now += 75));
  bulk.attach(database);
  bulk.startWriter();
  const checkpoints = Array.from({ length: 6 }, () => {
    database.prepare('INSERT INTO t VALUES (?)').run(Buffer.alloc(mebibyte));
    return bulk.checkpointIfFull();
  });
  expect(checkpoints).toEqual([false, false, false, true, true, true]);
});

test('ignores an end after the database was closed', () => {
  const endBulk = bulk.startWriter();
  closeDatabase(database);
  expect(endBulk).not.toThrow();
});
