import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { indexRows } from '../../../core/derive/derive.ts';
import { scan } from '../../../core/json/scan.ts';
import { carePlan } from '../../testing/test-server.ts';
import { sqliteAudit } from './audit.ts';
import { groupSize, type NewAuditEntry } from '../audit-chain.ts';
import { EntryQueue } from '../entry-queue.ts';
import { AuditLogWriter } from './audit-log-writer.ts';
import { recordMigrations } from './migrations.ts';
import { closeDatabase, openDatabase } from '../../sqlite/open-database.ts';
import { openRecordStore } from './sqlite-store.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';
import type { NewVersion } from '../store.ts';
import { versionWriter, IndexBacklog } from './version-writer.ts';
import { WriteQueue } from './write-queue.ts';

let folder: string;
let path: string;
let database: SqliteDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-audit-'));
  path = join(folder, 'records.db');
  database = openDatabase(path, recordMigrations);
});
afterEach(async () => {
  if (database.open) closeDatabase(database);
  await rm(folder, { recursive: true, force: true });
});

function version(id: string): NewVersion {
  const text = carePlan('Patient/a');
  return {
    type: 'CarePlan',
    id,
    version: 1,
    lastUpdated: '2026-01-01T00:00:00.000Z',
    operation: 'create',
    author: 'a',
    text,
    index: indexRows('CarePlan', scan(text).root),
    issues: [],
  };
}

function entry(target: string): NewAuditEntry {
  return { time: 1, who: 'a', action: 'read', what: target, status: 200, requestId: 'r' };
}

const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
const whats = () => database.prepare('SELECT what FROM audit ORDER BY seq').pluck().all();

function auditOf() {
  const writes = new WriteQueue(database, () => undefined);
  const auditLog = new AuditLogWriter(database);
  return { writes, auditLog, audit: sqliteAudit(() => ({ database, auditLog, writes })) };
}

test('commits a write and its entry together', async () => {
  const { writes, audit } = auditOf();
  const writer = versionWriter(database, new IndexBacklog(database));
  // SQLite checks a deferred foreign key at the commit.
  database.exec('CREATE TABLE u (x INTEGER REFERENCES record (pk) DEFERRABLE INITIALLY DEFERRED)');
  await expect(
    writes.add(() => {
      writer.insert(version('lost'));
      database.prepare('INSERT INTO u VALUES (99)').run();
    }),
  ).rejects.toThrow(/FOREIGN KEY/);
  expect([count('version'), count('audit')]).toEqual([0, 0]);

  await writes.add(() => writer.insert(version('kept')));
  expect([count('version'), whats()]).toEqual([1, ['/fhir-r4/v1/CarePlan/kept']]);
  expect(await audit.verify()).toEqual({ entries: 1 });
});

test("stores no change if its entry can't be written", async () => {
  const { writes } = auditOf();
  const writer = versionWriter(database, new IndexBacklog(database));
  database.exec(`CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'full'); END`);
  await expect(writes.add(() => writer.insert(version('x')))).rejects.toThrow('full');
  expect([count('version'), count('record'), count('audit')]).toEqual([0, 0, 0]);
});

test('keeps the chain intact if one write of a batch fails and the remaining ones are retried', async () => {
  const { writes, auditLog, audit } = auditOf();
  const add = (target: string) => writes.add(() => auditLog.add([entry(target)]));
  const results = await Promise.allSettled([
    add('1'),
    writes.add(() => {
      auditLog.add([entry('undone')]);
      throw new Error('fails behind its entry');
    }),
    add('2'),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await add('3');
  expect(whats()).toEqual(['1', '2', '3']);
  expect(await audit.verify()).toEqual({ entries: 3 });
});

test.each([1, groupSize - 1, groupSize, groupSize + 1, 3 * groupSize, 6000])(
  'continues an intact chain of %i entries written together',
  async (size) => {
    const { writes, auditLog, audit } = auditOf();
    const entries = Array.from({ length: size }, (_, index) => entry(String(index)));
    await writes.add(() => auditLog.add(entries));
    await writes.add(() => auditLog.add([entry('last')]));
    expect(await audit.verify()).toEqual({ entries: size + 1 });
    const seals = database.prepare('SELECT count(seal) FROM audit').pluck().get();
    expect(seals).toBe(Math.ceil(size / groupSize) + 1);
    let readCount = 0;
    for await (const slice of audit.readEntries()) readCount += slice.length;
    expect(readCount).toBe(size + 1);
  },
);

test('reads back texts of any kind and truncates very long ones', async () => {
  const { writes, auditLog, audit } = auditOf();
  const odd = ['', 'ä€😀', 'a\u0000b', '\ud800', `"\\\u2028`, 'x'.repeat(9000)];
  await writes.add(() => auditLog.add(odd.map((target) => ({ ...entry(target), who: target }))));
  expect(await audit.verify()).toEqual({ entries: odd.length });
  const { entries } = await audit.page({}, undefined, 100);
  expect(entries[0]?.what).toHaveLength(4097);
});

test('writes queued entries in one commit within 250 ms', async () => {
  vi.useFakeTimers();
  try {
    const batches: number[] = [];
    const queue = new EntryQueue<NewAuditEntry>(async (entries) => void batches.push(entries.length));
    for (let index = 0; index < 5; index += 1) queue.note(entry('x'));
    await vi.advanceTimersByTimeAsync(249);
    expect(batches).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(batches).toEqual([5]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(batches).toEqual([5]);
  } finally {
    vi.useRealTimers();
  }
});

test('waits for a write in progress', async () => {
  const disk = Promise.withResolvers<true>();
  const writtenTargets: string[] = [];
  const queue = new EntryQueue<NewAuditEntry>(async (entries) => {
    await disk.promise;
    writtenTargets.push(...entries.map(({ what: target }) => target));
  });
  queue.note(entry('1'));
  // Flushes as the timer does, without a waiting caller.
  void queue.flush();
  const targetsAfterFlush = queue.flush().then(() => [...writtenTargets]);
  disk.resolve(true);
  expect(await targetsAfterFlush).toEqual(['1']);
});

test('retries failed entries before newer ones', async () => {
  vi.useFakeTimers();
  try {
    let full = true;
    const writtenTargets: string[] = [];
    const queue = new EntryQueue<NewAuditEntry>(async (entries) => {
      if (full) throw new Error('full');
      writtenTargets.push(...entries.map(({ what: target }) => target));
    });
    queue.note(entry('1'));
    await vi.advanceTimersByTimeAsync(250);
    queue.note(entry('2'));
    full = false;
    await vi.advanceTimersByTimeAsync(2000);
    expect(writtenTargets).toEqual(['1', '2']);
  } finally {
    vi.useRealTimers();
  }
});

test('writes queued entries on close and keeps the log across a reset', async () => {
  closeDatabase(database);
  const store = await openRecordStore(path);
  await store.insert(version('a'));
  store.audit.note(entry('gathered'));
  await store.files.empty(join(folder, 'backups', 'records-1.db'), { who: 'boss', requestId: 'r-9' });
  store.audit.note(entry('late'));
  await store.close();
  database = openDatabase(path, recordMigrations);
  expect(count('version')).toBe(0);
  expect(whats()).toEqual(['/fhir-r4/v1/CarePlan/a', 'gathered', 'records-1.db', 'records-1.db', 'late']);
  expect(database.prepare(`SELECT who, action, request_id FROM audit WHERE seq = 4`).raw().get()).toEqual([
    'boss',
    'reset',
    'r-9',
  ]);
  expect(await auditOf().audit.verify()).toEqual({ entries: 5 });
});

test('yields to other work during the check of a long chain', async () => {
  const { writes, auditLog, audit } = auditOf();
  await writes.add(() => auditLog.add(Array.from({ length: 12_000 }, () => entry('x'))));
  let turns = 0;
  let done = false;
  const turn = () => {
    if (done) return;
    turns += 1;
    setImmediate(turn);
  };
  setImmediate(turn);
  await audit.verify().finally(() => {
    done = true;
  });
  expect(turns).toBeGreaterThan(1);
});
