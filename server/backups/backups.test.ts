import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRecords } from '../start.ts';
import { backupsOf, draftOf, listBackups } from '../store/sqlite/backup-folder.ts';
import type { RecordService } from '../fhir/service.ts';
import type { FileStore } from '../store/store.ts';
import { idsIn } from '../testing/backed-up-folder.ts';
import { carePlan } from '../testing/test-server.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { createBackups, type Backups } from './backups.ts';

const quarter = 15 * 60 * 1000;
const doer = { who: 'test', requestId: '' };

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
    records: store.files,
    workspace,
    log: (line) => void lines.push(line),
    clock: () => now,
    every(milliseconds, work) {
      expect(milliseconds).toBe(quarter);
      tick = work;
      return () => (stopped = true);
    },
  });
}

/** The server ends and starts again on the same folder. */
async function startAnew(): Promise<void> {
  await backups.close();
  await store.close();
  ({ store, service } = await openRecords(folder));
  backups = start();
}

const timed = (name: string) => listBackups(join(folder, name)).filter(({ kind }) => kind === 'timed');
const create = (title: string) =>
  service.create({ type: 'CarePlan', author: 'test', text: carePlan('Patient/p', `,"title":"${title}"`) });

/** A quarter of an hour goes, and its work ends. */
async function quarterLater(): Promise<void> {
  now += quarter;
  tick();
  await backups.idle();
}

test('item 13: every quarter of an hour what has changed is backed up, and what has not is left', async () => {
  await quarterLater();
  expect(timed('records.db')).toEqual([]);
  await create('One');
  await workspace.changePreferences({ theme: 'dark' });
  await quarterLater();
  await quarterLater();
  expect([timed('records.db').length, timed('workspace.db').length]).toEqual([1, 1]);
  await create('Two');
  await quarterLater();
  expect(timed('records.db').map(({ time }) => time)).toEqual([now, now - 2 * quarter]);
  expect(timed('workspace.db')).toHaveLength(1);
});

test('item 13: a start makes no backup of what the newest one holds already, and one of what was written behind it', async () => {
  await create('One');
  await quarterLater();
  await startAnew();
  await quarterLater();
  expect(timed('records.db')).toHaveLength(1);
  await create('Two');
  await startAnew();
  await quarterLater();
  expect(timed('records.db').map(({ time }) => time)).toEqual([now, now - 2 * quarter]);
});

test('item 13: what was asked for, and holds everything, is not made again by the clock; what was restored is', async () => {
  await create('One');
  const { name } = await backups.make(doer);
  await quarterLater();
  expect(timed('records.db')).toEqual([]);
  await backups.restore(name, doer);
  await quarterLater();
  await quarterLater();
  expect(timed('records.db')).toHaveLength(1);
  const files = readdirSync(backupsOf(join(folder, 'records.db')));
  expect(files.filter((file) => !/\.db(?:\.json)?$/.test(file))).toEqual([]);
});

test('item 13: three of today stay and one of each day, ten at most', async () => {
  const day = 24 * 3600 * 1000;
  for (const wait of [...Array<number>(11).fill(day), quarter, quarter, quarter]) {
    await create('One more');
    now += wait - quarter;
    await quarterLater();
  }
  const days = timed('records.db').map(({ time }) => new Date(time).toDateString());
  expect(days).toHaveLength(10);
  expect(days.filter((day) => day === new Date(now).toDateString())).toHaveLength(3);
  expect(new Set(days).size).toBe(8);
});

test('a backup that cannot be made is told, and made with the next quarter', async () => {
  await create('One');
  writeFileSync(backupsOf(join(folder, 'records.db')), 'in the way');
  await quarterLater();
  expect(lines).toEqual([expect.stringContaining('no backup was made')]);
  rmSync(backupsOf(join(folder, 'records.db')));
  await quarterLater();
  expect(timed('records.db')).toHaveLength(1);
});

test('drafts that a crash left are removed with the next start', async () => {
  await create('One');
  await backups.make(doer);
  const draft = draftOf(listBackups(join(folder, 'records.db'))[0]?.path ?? '');
  writeFileSync(draft, 'half');
  await store.close();
  ({ store } = await openRecords(folder));
  expect(() => readFileSync(draft)).toThrow('ENOENT');
});

test('item 13: under load each backup is a prefix of what was acknowledged, and holds all from before it', async () => {
  const acknowledged: string[] = [];
  const end = new AbortController();
  const writer = (async () => {
    while (!end.signal.aborted) {
      const { version } = await create(`Record ${acknowledged.length}`);
      acknowledged.push(version.id);
      await setImmediate();
    }
  })();
  const made: { name: string; least: number }[] = [];
  for (let round = 1; round <= 5; round += 1) {
    await expect.poll(() => acknowledged.length).toBeGreaterThan(round * 60);
    const least = acknowledged.length;
    now += 1000;
    made.push({ name: (await backups.make(doer)).name, least });
  }
  end.abort();
  await writer;

  for (const { name, least } of made) {
    const ids = await idsIn(join(backupsOf(join(folder, 'records.db')), name));
    expect(ids.length).toBeGreaterThanOrEqual(least);
    expect(ids).toEqual(acknowledged.slice(0, ids.length));
  }
});

test('item 13: restored under load, the records are a prefix of what was acknowledged, and what follows is stored', async () => {
  const before: string[] = [];
  for (let count = 0; count < 50; count += 1) before.push((await create('Before')).version.id);
  const { name } = await backups.make(doer);
  const after: string[] = [];
  const end = new AbortController();
  const writer = (async () => {
    while (!end.signal.aborted) after.push((await create('After')).version.id);
  })();
  await expect.poll(() => after.length).toBeGreaterThan(50);
  now += 1000;
  const { before: kept } = await backups.restore(name, doer);
  const goal = after.length + 20;
  await expect.poll(() => after.length).toBeGreaterThan(goal);
  end.abort();
  await writer;

  const { versions } = await store.history('CarePlan', {}, 100_000);
  const ids = Array.from(versions, ({ id }) => id).reverse();
  const rest = ids.slice(before.length);
  expect(ids.slice(0, before.length)).toEqual(before);
  expect(rest).toEqual(after.slice(-rest.length));
  const gone = await idsIn(join(backupsOf(join(folder, 'records.db')), kept.name));
  expect(gone).toEqual([...before, ...after.slice(0, after.length - rest.length)]);
});

test('a server that ends stops the clock, and waits for no backup; half of one is none', async () => {
  await create('One');
  tick();
  await setImmediate();
  await backups.close();
  await store.close();
  await backups.idle();
  expect([stopped, lines, timed('records.db')]).toEqual([true, [], []]);
  ({ store } = await openRecords(folder));
});
