import Database from 'better-sqlite3';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DatabaseKeeper } from './database-keeper.ts';
import type { SqliteDatabase } from './sqlite.ts';
import { WriteQueue } from './write-queue.ts';

interface Parts {
  readonly database: SqliteDatabase;
  readonly writes: WriteQueue;
}

let folder: string;
let path: string;
let keeper: DatabaseKeeper<Parts>;
/** Whether the disk fails each commit. */
let failing: boolean;
/** What waits for its time. */
let waiting: { readonly milliseconds: number; readonly work: () => void }[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-keeper-'));
  path = join(folder, 'records.db');
  failing = false;
  waiting = [];
  keeper = keeperOf(path);
});
afterEach(() => {
  keeper.close();
  rmSync(folder, { recursive: true });
});

function keeperOf(file: string) {
  return new DatabaseKeeper({
    path: file,
    migrations: ['CREATE TABLE one (n INTEGER) STRICT;'],
    partsOf: (database, failed) => ({
      database,
      writes: new WriteQueue(onDisk(database), () => undefined, failed),
    }),
    later(milliseconds, work) {
      waiting.push({ milliseconds, work });
      return () => undefined;
    },
  });
}

/** The database with a disk that can fail: the work is done, and its commit is not. */
function onDisk(database: SqliteDatabase): SqliteDatabase {
  const transaction = (work: () => unknown) => ({
    immediate: () =>
      database
        .transaction(() => {
          const result = work();
          if (failing) throw new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');
          return result;
        })
        .immediate(),
  });
  return { transaction } as unknown as SqliteDatabase;
}

const stored = () => keeper.parts.database.prepare('SELECT n FROM one ORDER BY n').pluck().all();

async function write(n: number): Promise<void> {
  const { writes, database } = keeper.parts;
  await writes.add(() => database.prepare('INSERT INTO one VALUES (?)').run(n));
}

/** Lets the time of the next try come; answers how long it was waited for. */
function next(): number {
  const [first] = waiting.splice(0, 1);
  first?.work();
  return first?.milliseconds ?? 0;
}

const fault = { code: 'SQLITE_IOERR_FSYNC' };

test('item 9: after a failed sync nothing is written until the database was opened anew; reads go on', async () => {
  await write(1);
  failing = true;
  await expect(write(2)).rejects.toMatchObject(fault);
  failing = false;
  await expect(write(3)).rejects.toMatchObject(fault);
  expect(stored()).toEqual([1]);
  const { database } = keeper.parts;
  expect(next()).toBe(50);
  expect([database.open, keeper.parts.database.open]).toEqual([false, true]);
  await write(4);
  expect(stored()).toEqual([1, 4]);
  expect(waiting).toEqual([]);
});

test('item 9: of writes that arrive together none is stored, and none is tried alone', async () => {
  failing = true;
  const all = await Promise.allSettled([write(1), write(2)]);
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(waiting).toHaveLength(1);
  next();
  expect(stored()).toEqual([]);
});

test('item 9: what a failed write left in the log is cut off before it is answered', async () => {
  await write(1);
  const log = `${path}-wal`;
  const { size } = statSync(log);
  appendFileSync(log, Buffer.alloc(24 + 4096, 1));
  failing = true;
  await expect(write(2)).rejects.toMatchObject(fault);
  expect(statSync(log).size).toBe(size);
  expect(stored()).toEqual([1]);
});

test('item 9: a disk that stays failed is tried again, each time later, and read meanwhile', async () => {
  await write(1);
  failing = true;
  await expect(write(2)).rejects.toMatchObject(fault);
  failing = false;
  // Where the mark of an open database cannot be written, it is not opened for writing.
  rmSync(`${path}-open`);
  mkdirSync(`${path}-open`);
  for (const wait of [50, 100, 200]) {
    expect(next()).toBe(wait);
    expect(stored()).toEqual([1]);
    await expect(write(3)).rejects.toMatchObject(fault);
  }
  rmSync(`${path}-open`, { recursive: true });
  expect(next()).toBe(400);
  await write(4);
  expect(stored()).toEqual([1, 4]);
});

test('item 10: a close in order takes the mark away; behind a failed disk it stays, and the next start looks', async () => {
  await write(1);
  keeper.close();
  expect(existsSync(`${path}-open`)).toBe(false);
  keeper = keeperOf(path);
  failing = true;
  await expect(write(2)).rejects.toMatchObject(fault);
  keeper.close();
  expect(existsSync(`${path}-open`)).toBe(true);
});

test('where a swap of the file fails, the former one is open again', async () => {
  await write(1);
  let undone = 0;
  const swap = () => {
    throw new Error('no place');
  };
  expect(() => keeper.swapFile(swap, () => (undone += 1))).toThrow('no place');
  expect(undone).toBe(1);
  await write(2);
  expect(stored()).toEqual([1, 2]);
});
