import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from './open-database.ts';
import type { SqliteDatabase } from './sqlite.ts';
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
const stored = () => database.prepare('SELECT x FROM t ORDER BY x').pluck().all();

test('writes that arrive together are committed together, in their order', async () => {
  const queue = new WriteQueue(database, () => (changes += 1));
  const first = queue.add(insert(1));
  const second = queue.add(() => stored());
  expect(stored()).toEqual([]);
  expect(await Promise.all([first, second])).toEqual([1, [1]]);
});

test('a write that comes in the next turn of the event loop shares the commit', async () => {
  const queue = new WriteQueue(database, () => (changes += 1));
  const first = queue.add(insert(1));
  await nextTurn();
  expect(stored()).toEqual([]);
  const second = queue.add(() => stored());
  expect(await Promise.all([first, second])).toEqual([1, [1]]);
});

test('writes that keep coming put no commit off for good', async () => {
  const queue = new WriteQueue(database, () => (changes += 1));
  const added: Promise<number>[] = [];
  while (stored().length === 0 && added.length < 100) {
    added.push(queue.add(insert(added.length)));
    await nextTurn();
  }
  expect(added.length).toBeLessThan(100);
  await Promise.all(added);
});

test('a write that fails is changes alone and rejected alone', async () => {
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
  expect(stored()).toEqual([1, 3]);
  // The first and the rollback; then each alone, the second by its rollback.
  expect(changes).toBe(5);
});

test('where the commit fails, the write that made it fail is not acknowledged and leaves nothing', async () => {
  const queue = new WriteQueue(database, () => (changes += 1));
  // A deferred foreign key is looked at when the transaction commits.
  database.exec('CREATE TABLE u (x INTEGER REFERENCES t (x) DEFERRABLE INITIALLY DEFERRED)');
  const results = await Promise.allSettled([
    queue.add(insert(1)),
    queue.add(() => database.prepare('INSERT INTO u VALUES (99)').run()),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(stored()).toEqual([1]);
  expect(database.prepare('SELECT count(*) FROM u').pluck().get()).toBe(0);
});

test('flush commits what waits at once', () => {
  const queue = new WriteQueue(database, () => (changes += 1));
  void queue.add(insert(7));
  queue.flush();
  expect(stored()).toEqual([7]);
});

test('item 9: a full disk refuses what finds no room, and is written again when there is some', async () => {
  const queue = new WriteQueue(database, () => (changes += 1));
  const fill = () => {
    for (let row = 0; row < 5000; row += 1) database.prepare('INSERT INTO t VALUES (?)').run(row + 10);
  };
  const pages = Number(database.pragma('page_count', { simple: true }));
  database.pragma(`max_page_count = ${pages + 2}`);
  await expect(queue.add(fill)).rejects.toMatchObject({ code: 'SQLITE_FULL' });
  expect(stored()).toEqual([]);
  await queue.add(insert(1));
  database.pragma('max_page_count = 10000');
  await queue.add(fill);
  expect(stored()).toHaveLength(5001);
});

test('what is done before a commit has a turn of its own', async () => {
  const told: string[] = [];
  const before = () => {
    setImmediate(() => told.push('the next turn'));
    return told.push('before') === 1;
  };
  const queue = new WriteQueue(
    database,
    () => told.push('write'),
    () => undefined,
    before,
  );
  await queue.add(insert(1));
  expect(told).toEqual(['before', 'the next turn', 'write']);
  await queue.add(insert(2));
  expect(told.slice(3)).toEqual(['before', 'write']);
});
