import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../sqlite/open-database.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';
import { WriteQueue } from './write-queue.ts';

let folder: string;
let database: SqliteDatabase;
let changes: number;
beforeEach(async () => {
  changes = 0;
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-queue-'));
  database = openDatabase(join(folder, 'test.db'), ['CREATE TABLE t (x INTEGER UNIQUE) STRICT;']);
});
afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true, force: true });
});

const insert = (x: number) => () => {
  database.prepare('INSERT INTO t VALUES (?)').run(x);
  return x;
};
const listStored = () => database.prepare('SELECT x FROM t ORDER BY x').pluck().all();

test('commits writes that arrive together in one transaction, in order', async () => {
  const queue = new WriteQueue(database, () => (changes += 1));
  const firstWrite = queue.add(insert(1));
  const secondWrite = queue.add(() => listStored());
  expect(listStored()).toEqual([]);
  expect(await Promise.all([firstWrite, secondWrite])).toEqual([1, [1]]);
});

test('includes a write of the next turn of the event loop in the same commit', async () => {
  const queue = new WriteQueue(database, () => (changes += 1));
  const firstWrite = queue.add(insert(1));
  await nextTurn();
  expect(listStored()).toEqual([]);
  const secondWrite = queue.add(() => listStored());
  expect(await Promise.all([firstWrite, secondWrite])).toEqual([1, [1]]);
});

test('commits even if writes keep arriving', async () => {
  const queue = new WriteQueue(database, () => (changes += 1));
  const writes: Promise<number>[] = [];
  while (listStored().length === 0 && writes.length < 100) {
    writes.push(queue.add(insert(writes.length)));
    await nextTurn();
  }
  expect(writes.length).toBeLessThan(100);
  await Promise.all(writes);
});

test('rejects only the failed write of a commit', async () => {
  const queue = new WriteQueue(database, () => (changes += 1));
  const results = await Promise.allSettled([
    queue.add(insert(1)),
    queue.add(() => {
      insert(2)();
      insert(1)();
    }),
    queue.add(insert(3)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(listStored()).toEqual([1, 3]);
  // The first write and the rollback, then each write by itself, the second with a rollback.
  expect(changes).toBe(5);
});

test('rejects only the write that makes the commit fail', async () => {
  const queue = new WriteQueue(database, () => (changes += 1));
  // SQLite checks a deferred foreign key at the commit.
  database.exec('CREATE TABLE u (x INTEGER REFERENCES t (x) DEFERRABLE INITIALLY DEFERRED)');
  const results = await Promise.allSettled([
    queue.add(insert(1)),
    queue.add(() => database.prepare('INSERT INTO u VALUES (99)').run()),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(listStored()).toEqual([1]);
  expect(database.prepare('SELECT count(*) FROM u').pluck().get()).toBe(0);
});

test('commits pending writes on flush', () => {
  const queue = new WriteQueue(database, () => (changes += 1));
  void queue.add(insert(7));
  queue.flush();
  expect(listStored()).toEqual([7]);
});

test('rejects writes on a full disk and accepts them again once there is space', async () => {
  const queue = new WriteQueue(database, () => (changes += 1));
  const fill = () => {
    for (let row = 0; row < 5000; row += 1) database.prepare('INSERT INTO t VALUES (?)').run(row + 10);
  };
  const pages = Number(database.pragma('page_count', { simple: true }));
  database.pragma(`max_page_count = ${pages + 2}`);
  await expect(queue.add(fill)).rejects.toMatchObject({ code: 'SQLITE_FULL' });
  expect(listStored()).toEqual([]);
  await queue.add(insert(1));
  database.pragma('max_page_count = 10000');
  await queue.add(fill);
  expect(listStored()).toHaveLength(5001);
});

test('runs work before a commit in a separate turn', async () => {
  const events: string[] = [];
  const before = () => {
    setImmediate(() => events.push('the next turn'));
    return events.push('before') === 1;
  };
  const queue = new WriteQueue(
    database,
    () => events.push('write'),
    () => undefined,
    before,
  );
  await queue.add(insert(1));
  expect(events).toEqual(['before', 'the next turn', 'write']);
  await queue.add(insert(2));
  expect(events.slice(3)).toEqual(['before', 'write']);
});
