import Database from 'better-sqlite3';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConnectionManager } from './connection-manager.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';
import { WriteQueue } from './write-queue.ts';

interface TestParts {
  readonly database: SqliteDatabase;
  readonly writes: WriteQueue;
}

let folder: string;
let path: string;
let manager: ConnectionManager<TestParts>;
/** True if the disk fails each commit. */
let failing: boolean;
/** Scheduled tasks. */
let scheduledTasks: { readonly milliseconds: number; readonly work: () => void }[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-keeper-'));
  path = join(folder, 'records.db');
  failing = false;
  scheduledTasks = [];
  manager = createManager(path);
});
afterEach(() => {
  manager.close();
  rmSync(folder, { recursive: true });
});

function createManager(file: string) {
  return new ConnectionManager({
    path: file,
    migrations: ['CREATE TABLE one (n INTEGER) STRICT;'],
    createParts: (database, onDiskError) => ({
      database,
      writes: new WriteQueue(onDisk(database), () => undefined, onDiskError),
    }),
    scheduleOnce(milliseconds, work) {
      scheduledTasks.push({ milliseconds, work });
      return () => undefined;
    },
  });
}

/** Wraps the database with a disk that can fail: the work runs, but its commit fails. */
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

const listStored = () => manager.parts.database.prepare('SELECT n FROM one ORDER BY n').pluck().all();

async function write(n: number): Promise<void> {
  const { writes, database } = manager.parts;
  await writes.add(() => database.prepare('INSERT INTO one VALUES (?)').run(n));
}

/** Runs the next scheduled retry. Returns its delay in milliseconds. */
function runNextRetry(): number {
  const [firstTask] = scheduledTasks.splice(0, 1);
  firstTask?.work();
  return firstTask?.milliseconds ?? 0;
}

const fault = { code: 'SQLITE_IOERR_FSYNC' };

test('rejects writes after a failed sync until the database is reopened, and still reads', async () => {
  await write(1);
  failing = true;
  await expect(write(2)).rejects.toMatchObject(fault);
  failing = false;
  await expect(write(3)).rejects.toMatchObject(fault);
  expect(listStored()).toEqual([1]);
  const { database } = manager.parts;
  expect(runNextRetry()).toBe(50);
  expect([database.open, manager.parts.database.open]).toEqual([false, true]);
  await write(4);
  expect(listStored()).toEqual([1, 4]);
  expect(scheduledTasks).toEqual([]);
});

test('stores none of the writes of a failed commit and retries none', async () => {
  failing = true;
  const results = await Promise.allSettled([write(1), write(2)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(scheduledTasks).toHaveLength(1);
  runNextRetry();
  expect(listStored()).toEqual([]);
});

test('truncates the failed frames of the WAL before it reports the error', async () => {
  await write(1);
  const log = `${path}-wal`;
  const { size } = statSync(log);
  appendFileSync(log, Buffer.alloc(24 + 4096, 1));
  failing = true;
  await expect(write(2)).rejects.toMatchObject(fault);
  expect(statSync(log).size).toBe(size);
  expect(listStored()).toEqual([1]);
});

test('retries a failed disk with growing delays and serves reads in between', async () => {
  await write(1);
  failing = true;
  await expect(write(2)).rejects.toMatchObject(fault);
  failing = false;
  // The database is not opened for writing if the mark of an open database can't be written.
  rmSync(`${path}-open`);
  mkdirSync(`${path}-open`);
  for (const wait of [50, 100, 200]) {
    expect(runNextRetry()).toBe(wait);
    expect(listStored()).toEqual([1]);
    await expect(write(3)).rejects.toMatchObject(fault);
  }
  rmSync(`${path}-open`, { recursive: true });
  expect(runNextRetry()).toBe(400);
  await write(4);
  expect(listStored()).toEqual([1, 4]);
});

test('removes the open mark on close, except after a disk error', async () => {
  await write(1);
  manager.close();
  expect(existsSync(`${path}-open`)).toBe(false);
  manager = createManager(path);
  failing = true;
  await expect(write(2)).rejects.toMatchObject(fault);
  manager.close();
  expect(existsSync(`${path}-open`)).toBe(true);
});

test('reopens the previous file if a swap fails', async () => {
  await write(1);
  let undoCount = 0;
  const swap = () => {
    throw new Error('no place');
  };
  expect(() => manager.swapFile(swap, () => (undoCount += 1))).toThrow('no place');
  expect(undoCount).toBe(1);
  await write(2);
  expect(listStored()).toEqual([1, 2]);
});
