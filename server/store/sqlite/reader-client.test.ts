import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { indexRows } from '../../../core/derive/derive.ts';
import { readCriteria, type Pair } from '../../../core/fhir/search.ts';
import { scan } from '../../../core/json/scan.ts';
import { connect } from '../../sqlite/sqlite.ts';
import { openRecordStore } from './sqlite-store.ts';
import type { NewVersion, FileStore } from '../store.ts';

let folder: string;
let path: string;
let store: FileStore;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-asking-'));
  path = join(folder, 'records.db');
  store = await openRecordStore(path, undefined, undefined, { minRecords: 0 });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

function plan(number: number, status = 'active'): NewVersion {
  const id = `p-${number}`;
  const text = JSON.stringify({
    resourceType: 'CarePlan',
    id,
    status,
    intent: 'plan',
    subject: { reference: `Patient/${number % 3}` },
  });
  return {
    type: 'CarePlan',
    id,
    version: 1,
    lastUpdated: new Date(number * 1000).toISOString(),
    text,
    operation: 'create',
    author: 'test',
    index: indexRows('CarePlan', scan(text).root),
    issues: [{ rule: 'r', severity: 'error', category: 'schema', pointer: '/status' }] as never,
  };
}

const criteria = (...query: Pair[]) => readCriteria('CarePlan', query, { now: 0 });
const active = criteria(['status', 'active']);

test('includes every acknowledged write in a search', async () => {
  for (let number = 1; number <= 60; number += 1) {
    await store.insert(plan(number));
    expect(await store.total(active)).toBe(number);
  }
  const page = await store.search(criteria(['status', 'active'], ['_sort', '-_lastUpdated']), 1);
  expect([page.total, ...Array.from(page.records, ({ id }) => id)]).toEqual([60, 'p-60']);
});

test('returns the same results from a reader thread and from the main thread', async () => {
  for (let number = 1; number <= 12; number += 1) await store.insert(plan(number));
  const answers = async () => {
    const { records, ...page } = await store.search(active, 5);
    const { counts, flagged: flaggedCounts } = await store.issueCounts({});
    return {
      page: [
        page,
        Array.from(records, (record) => ('bytes' in record ? record.bytes.toString() : record.fault)),
      ],
      total: await store.total(active),
      issues: await store.issues({ rule: 'r' }, undefined, 7),
      subjects: await store.listLatestSubjects(5),
      history: (await store.history('CarePlan', {}, 5)).total,
      counts,
      flagged: flaggedCounts,
    };
  };
  const resultsOfThread = await answers();
  expect(resultsOfThread).toMatchObject({
    total: 12,
    history: 12,
    page: [{ total: 12, hasMore: true }, { length: 5 }],
  });
  await store.close();
  store = await openRecordStore(path, undefined, undefined, { minRecords: Infinity });
  expect(await answers()).toEqual(resultsOfThread);
});

test('forgets the counts of records removed by a restore, a reset or an erasure', async () => {
  await store.insert(plan(1));
  await store.files.backUp(join(folder, 'backups', 'one.db'));
  await store.insert(plan(2));
  expect(await store.total(active)).toBe(2);
  await store.files.restore(join(folder, 'backups', 'one.db'), join(folder, 'backups', 'before.db'));
  expect(await store.total(active)).toBe(1);
  await store.insert(plan(3));
  expect(await store.total(active)).toBe(2);
  await store.erase([{ type: 'CarePlan', id: 'p-3', who: 'w', reason: 'r' }]);
  await store.truncateWal();
  expect(await store.total(active)).toBe(1);
  await store.insert(plan(4, 'draft'));
  expect(await store.total(active)).toBe(1);
  await store.files.empty(join(folder, 'backups', 'two.db'), { who: '', requestId: '' });
  expect(await store.total(active)).toBe(0);
});

test('releases the WAL after each response', async () => {
  await store.insert(plan(1));
  await store.total(active);
  const connection = connect(path);
  expect(connection.pragma('wal_checkpoint(TRUNCATE)')).toMatchObject([{ busy: 0, log: 0 }]);
  connection.close();
});

test('checkpoints audit entries of reads in a worker, and a restore waits for it', async () => {
  await store.insert(plan(1));
  const backup = join(folder, 'backups', 'one.db');
  await store.files.backUp(backup);
  const connection = connect(path);
  const countPendingFrames = () => {
    const [{ log, checkpointed }] = connection.pragma('wal_checkpoint(NOOP)') as [
      { log: number; checkpointed: number },
    ];
    return log - checkpointed;
  };
  expect(countPendingFrames()).toBeGreaterThan(0);
  const entry = { who: 'w', action: 'read', what: 'w', status: 200, requestId: '' } as const;
  store.audit.note({ ...entry, time: Date.now() });
  await store.audit.flush();
  await vi.waitFor(() => expect(countPendingFrames()).toBe(0), { timeout: 10_000 });
  connection.close();
  store.audit.note({ ...entry, time: Date.now() });
  await store.audit.flush();
  await store.files.restore(backup, join(folder, 'backups', 'before.db'));
  expect(await store.total(active)).toBe(1);
});

test('rejects a search whose client has disconnected', async () => {
  await store.insert(plan(1));
  await expect(store.search(active, 5, AbortSignal.abort())).rejects.toMatchObject({ kind: 'unanswered' });
});
