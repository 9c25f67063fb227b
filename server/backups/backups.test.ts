import { recordMigrations } from '../store/sqlite/migrations.ts';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRecords } from '../start.ts';
import { backupsOf, draftOf, listBackups } from '../sqlite/backup-folder.ts';
import type { RecordService } from '../fhir/service.ts';
import type { FileStore } from '../store/store.ts';
import { idsIn } from '../testing/backed-up-folder.ts';
import { carePlan } from '../testing/test-server.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { createBackups, type Backups } from './backups.ts';

const quarter = 15 * 60 * 1000;
const actor = { who: 'test', requestId: '' };

let folder: string;
let store: FileStore;
let service: RecordService;
let workspace: Workspace;
let backups: Backups;
let now: number;
let lines: string[];
let tick: () => void;
let stopped: boolean;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-backups-'));
  ({ store, service } = await openRecords(folder));
  workspace = await openWorkspace(join(folder, 'workspace.db'));
  now = new Date(2026, 10, 21, 8).getTime();
  lines = [];
  stopped = false;
  backups = start();
});
afterEach(async () => {
  await backups.close();
  await workspace.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

function start(): Backups {
  return createBackups({
    dataDir: folder,
    migrations: recordMigrations,
    records: store.files,
    workspace,
    log: (line) => void lines.push(line),
    clock: () => now,
    scheduleEvery(milliseconds, work) {
      expect(milliseconds).toBe(quarter);
      tick = work;
      return () => (stopped = true);
    },
  });
}

/** Restarts the server on the same folder. */
async function restart(): Promise<void> {
  await backups.close();
  await store.close();
  ({ store, service } = await openRecords(folder));
  backups = start();
}

const listTimed = (name: string) => listBackups(join(folder, name)).filter(({ kind }) => kind === 'timed');
const create = (title: string) =>
  service.create({ type: 'CarePlan', author: 'test', text: carePlan('Patient/p', `,"title":"${title}"`) });

/** Advances the clock by a quarter of an hour and waits for the work. */
async function quarterLater(): Promise<void> {
  now += quarter;
  tick();
  await backups.idle();
}

test('backs up changed databases every quarter of an hour, and only those', async () => {
  await quarterLater();
  expect(listTimed('records.db')).toEqual([]);
  await create('One');
  await workspace.changePreferences({ theme: 'dark' });
  await quarterLater();
  await quarterLater();
  expect([listTimed('records.db').length, listTimed('workspace.db').length]).toEqual([1, 1]);
  await create('Two');
  await quarterLater();
  expect(listTimed('records.db').map(({ time }) => time)).toEqual([now, now - 2 * quarter]);
  expect(listTimed('workspace.db')).toHaveLength(1);
});

test('backs up at a start only changes after the latest backup', async () => {
  await create('One');
  await quarterLater();
  await restart();
  await quarterLater();
  expect(listTimed('records.db')).toHaveLength(1);
  await create('Two');
  await restart();
  await quarterLater();
  expect(listTimed('records.db').map(({ time }) => time)).toEqual([now, now - 2 * quarter]);
});

test('skips a timed backup after a requested one, but not after a restore', async () => {
  await create('One');
  const { name } = await backups.make(actor);
  await quarterLater();
  expect(listTimed('records.db')).toEqual([]);
  await backups.restore(name, actor);
  await quarterLater();
  await quarterLater();
  expect(listTimed('records.db')).toHaveLength(1);
  const files = readdirSync(backupsOf(join(folder, 'records.db')));
  expect(files.filter((file) => !/\.db(?:\.json)?$/.test(file))).toEqual([]);
});

test('keeps three backups of today and one of each other day, ten at most', async () => {
  const day = 24 * 3600 * 1000;
  for (const wait of [...Array<number>(11).fill(day), quarter, quarter, quarter]) {
    await create('One more');
    now += wait - quarter;
    await quarterLater();
  }
  const days = listTimed('records.db').map(({ time }) => new Date(time).toDateString());
  expect(days).toHaveLength(10);
  expect(days.filter((day) => day === new Date(now).toDateString())).toHaveLength(3);
  expect(new Set(days).size).toBe(8);
});

test('reports a failed backup and retries it after a quarter of an hour', async () => {
  await create('One');
  writeFileSync(backupsOf(join(folder, 'records.db')), 'in the way');
  await quarterLater();
  expect(lines).toEqual([expect.stringContaining('no backup was made')]);
  rmSync(backupsOf(join(folder, 'records.db')));
  await quarterLater();
  expect(listTimed('records.db')).toHaveLength(1);
});

test('removes partial backups of a crash at the next start', async () => {
  await create('One');
  await backups.make(actor);
  const draft = draftOf(listBackups(join(folder, 'records.db'))[0]?.path ?? '');
  writeFileSync(draft, 'half');
  await store.close();
  ({ store } = await openRecords(folder));
  expect(() => readFileSync(draft)).toThrow('ENOENT');
});

test('writes consistent backups under load, with all writes acknowledged before', async () => {
  const acknowledged: string[] = [];
  const end = new AbortController();
  const writer = (async () => {
    while (!end.signal.aborted) {
      const { version } = await create(`Record ${acknowledged.length}`);
      acknowledged.push(version.id);
      await setImmediate();
    }
  })();
  const createdBackups: { name: string; acknowledgedCount: number }[] = [];
  for (let round = 1; round <= 5; round += 1) {
    await expect.poll(() => acknowledged.length).toBeGreaterThan(round * 60);
    const acknowledgedCount = acknowledged.length;
    now += 1000;
    createdBackups.push({ name: (await backups.make(actor)).name, acknowledgedCount });
  }
  end.abort();
  await writer;

  for (const { name, acknowledgedCount } of createdBackups) {
    const ids = await idsIn(join(backupsOf(join(folder, 'records.db')), name));
    expect(ids.length).toBeGreaterThanOrEqual(acknowledgedCount);
    expect(ids).toEqual(acknowledged.slice(0, ids.length));
  }
});

test('restores consistently under load and stores later writes', async () => {
  const before: string[] = [];
  for (let count = 0; count < 50; count += 1) before.push((await create('Before')).version.id);
  const { name } = await backups.make(actor);
  const after: string[] = [];
  const end = new AbortController();
  const writer = (async () => {
    while (!end.signal.aborted) after.push((await create('After')).version.id);
  })();
  await expect.poll(() => after.length).toBeGreaterThan(50);
  now += 1000;
  const { before: replacedBackup } = await backups.restore(name, actor);
  const goal = after.length + 20;
  await expect.poll(() => after.length).toBeGreaterThan(goal);
  end.abort();
  await writer;

  const { versions } = await store.history('CarePlan', {}, 100_000);
  const ids = Array.from(versions, ({ id }) => id).reverse();
  const laterIds = ids.slice(before.length);
  expect(ids.slice(0, before.length)).toEqual(before);
  expect(laterIds).toEqual(after.slice(-laterIds.length));
  const replacedIds = await idsIn(join(backupsOf(join(folder, 'records.db')), replacedBackup.name));
  expect(replacedIds).toEqual([...before, ...after.slice(0, after.length - laterIds.length)]);
});

test('stops the clock on close without waiting, and leaves no partial backup', async () => {
  await create('One');
  tick();
  await setImmediate();
  await backups.close();
  await store.close();
  await backups.idle();
  expect([stopped, lines, listTimed('records.db')]).toEqual([true, [], []]);
  ({ store } = await openRecords(folder));
});
