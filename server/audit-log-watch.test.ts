import { copyFileSync, rmSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRecords } from './start.ts';
import { runCli } from './testing/run-cli.ts';
import { WatchedFolder } from './testing/watched-folder.ts';
import { watchAuditLog } from './audit-log-watch.ts';
import { keptOutsideIn } from './workspace/audit-anchor.ts';
import { openWorkspace } from './workspace/workspace.ts';

const writes = 30;

let folder: WatchedFolder;
beforeAll(async () => {
  folder = await WatchedFolder.make();
  await folder.start();
  await folder.write(writes);
  await folder.lookNow();
});
afterAll(() => folder.remove());

function flipAt(path: string, offset: number): void {
  const bytes = readFileSync(path);
  bytes[offset] = (bytes[offset] ?? 0) ^ 16;
  writeFileSync(path, bytes);
}

/** Kinds of damage to a WAL. */
const damages: readonly (readonly [name: string, damage: (log: string) => void])[] = [
  ['deleted', (log) => rmSync(log)],
  ['cut in half', (log) => truncateSync(log, Math.floor(statSync(log).size / 2))],
  ['flipped in the middle', (log) => flipAt(log, Math.floor(statSync(log).size / 2))],
  // Later frames are index rows, which can be rebuilt.
  ['flipped in its last write', (log) => flipAt(log, readFileSync(log).lastIndexOf('"resourceType"'))],
];

// Item 23.
test.each(damages)(
  'reports the least number of missing writes after the WAL was %s',
  async (_name, damage) => {
    const killed = await folder.copy();
    damage(`${killed.records}-wal`);
    const { code, stdout } = await runCli(['verify', '--data', killed.path]);
    await killed.start();
    const { json } = await killed.send('GET', '/app/overview');
    const missing = writes - Number(json.counts.CarePlan);
    expect(missing).toBeGreaterThan(0);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(`^the file lacks at least ${missing} acknowledged writes?[.] The audit`),
      ),
    ]);
    expect(killed.lines).toEqual([
      expect.stringMatching(
        new RegExp(`^At least ${missing} acknowledged writes? (is|are) missing[.] The audit`),
      ),
    ]);

    // The server continues and reports the loss until someone reads the report.
    const losses = await killed.send('GET', '/app/losses');
    expect(losses.json.losses).toMatchObject([{ atLeast: missing, read: false }]);
    await killed.write(1);
    await killed.stop();
    expect((await runCli(['verify', '--data', killed.path])).stdout).toMatch(
      new RegExp(`not acknowledged yet: At least ${missing} ack`),
    );
    await killed.start();
    expect(killed.lines).toHaveLength(1);
    const { id } = losses.json.losses[0];
    expect((await killed.send('POST', `/app/losses/${id}/read`)).status).toBe(204);
    expect((await killed.send('GET', '/app/losses')).json.losses).toMatchObject([{ id, read: true }]);
    await killed.stop();
    expect(await runCli(['verify', '--data', killed.path])).toMatchObject({ code: 0 });
    await killed.remove();
  },
);

test('reports no loss after a kill, even before the last head was stored', async () => {
  const busyFolder = await folder.copy();
  await busyFolder.start();
  await busyFolder.write(3);
  const killed = await busyFolder.copy();
  expect(await killed.verify()).toEqual([]);
  await killed.start();
  expect([killed.lines, (await killed.send('GET', '/app/losses')).json]).toEqual([[], { losses: [] }]);
  await Promise.all([killed.remove(), busyFolder.remove()]);
});

test('stores the head after a write and after an erasure, without a look', async () => {
  const served = await folder.copy();
  await served.start();
  const killed = await WatchedFolder.make();
  const readHead = () => {
    for (const name of ['workspace.db', 'workspace.db-wal'])
      copyFileSync(join(served.path, name), join(killed.path, name));
    return keptOutsideIn(join(killed.path, 'workspace.db'))?.head;
  };
  const [id = ''] = await served.write(1);
  await expect.poll(readHead).toMatchObject({ version: writes + 1 });
  const { seq = 0 } = readHead() ?? {};
  const erasure = JSON.stringify({ type: 'CarePlan', id, reason: 'Asked for.' });
  expect((await served.send('POST', '/app/erasures', erasure)).status).toBe(201);
  await expect.poll(() => readHead()?.seq).toBeGreaterThan(seq);
  await Promise.all([killed.remove(), served.remove()]);
});

test('returns 404 for an unknown loss', async () => {
  expect((await folder.send('POST', '/app/losses/7/read')).status).toBe(404);
  expect((await folder.send('POST', '/app/losses/x/read')).status).toBe(404);
});

test('reports no loss after a restore by the server or on the command line', async () => {
  const served = await folder.copy();
  await served.start();
  const { json: backup } = await served.send('POST', '/app/backups');
  await served.write(5);
  await served.lookNow();
  expect((await served.send('POST', `/app/backups/${backup.name}/restore`)).status).toBe(200);
  const killed = await served.copy();
  expect(await killed.verify()).toEqual([]);
  await killed.start();
  expect(killed.lines).toEqual([]);
  await Promise.all([killed.remove(), served.stop()]);

  await served.start();
  await served.write(5);
  await served.stop();
  const file = join(served.path, 'backups', backup.name as string);
  expect(await runCli(['restore', file, '--data', served.path])).toMatchObject({ code: 0 });
  expect(await runCli(['verify', '--data', served.path])).toMatchObject({ code: 0 });
  await served.start();
  expect(served.lines).toEqual([]);
  await served.remove();
});

test('reports no loss after a kill during a restore, after the swap', async () => {
  const served = await folder.copy();
  await served.start();
  const { json: backup } = await served.send('POST', '/app/backups');
  await served.write(5);
  await served.lookNow();
  const workspace = await openWorkspace(join(served.path, 'other.db'));
  const { trail } = workspace;
  await served.stop();
  const { store } = await openRecords(served.path);
  trail.keep(await store.audit.head());
  const watch = await watchAuditLog({
    store,
    anchorStore: trail,
    log: (line: string) => void served.lines.push(line),
    scheduleEvery: () => () => undefined,
  });
  const replacedPath = join(served.path, 'backups', 'records-2026-01-01T00-00-00-000Z-restore.db');
  await watch.replaceRecords(async () => {
    await store.files.restore(join(served.path, 'backups', backup.name as string), replacedPath);
    // A kill now leaves no stored head, so the next start finds no loss.
    expect(trail.readLatest()).toBeUndefined();
  });
  expect(trail.readLatest()).toEqual(await store.audit.head());
  expect(served.lines).toEqual([]);
  await store.close();
  await workspace.close();
  await served.remove();
});

test('keeps the stored head after a rejected restore', async () => {
  const served = await folder.copy();
  await served.start();
  const { json: backup } = await served.send('POST', '/app/backups');
  await served.lookNow();
  writeFileSync(join(served.path, 'backups', backup.name as string), 'no database');
  expect((await served.send('POST', `/app/backups/${backup.name}/restore`)).status).toBe(422);
  const killed = await served.copy();
  expect(keptOutsideIn(join(killed.path, 'workspace.db'))?.head).toMatchObject({ version: writes });
  expect(await killed.verify()).toEqual([]);
  await Promise.all([killed.remove(), served.remove()]);
});
