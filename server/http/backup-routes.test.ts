import { execFileSync } from 'node:child_process';
import { readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Backup, BackupList, BackupRestored } from '../../core/app/backups.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { connect } from '../sqlite/sqlite.ts';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

const folder = () => join(server.dataDir, 'backups');
const countPlans = async () =>
  (await server.send('GET', '/fhir-r4/v1/CarePlan?subject=Patient/p')).json.total;
const storePlan = (title: string) =>
  server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/p', `,"title":"${title}"`));

async function backUp(): Promise<Backup> {
  const { status, json } = await server.send('POST', '/app/backups');
  if (status !== 201 || !matchesSchema(Backup, json)) throw new Error(`No backup: ${JSON.stringify(json)}`);
  return json;
}

async function listBackups(): Promise<readonly Backup[]> {
  const { json } = await server.send('GET', '/app/backups');
  if (!matchesSchema(BackupList, json)) throw new TypeError('This is no list of backups.');
  expect(json.folder).toBe(folder());
  return json.backups;
}

const restore = (name: string) => server.send('POST', `/app/backups/${encodeURIComponent(name)}/restore`);

test('backs up, lists and restores, and keeps a backup of the replaced records', async () => {
  expect(await listBackups()).toEqual([]);
  await storePlan('One');
  const backup = await backUp();
  expect(backup).toMatchObject({ kind: 'asked', bytes: (await stat(join(folder(), backup.name))).size });
  await storePlan('Two');

  const { status, json } = await restore(backup.name);
  expect([status, matchesSchema(BackupRestored, json)]).toEqual([200, true]);
  expect(json).toMatchObject({ restored: backup, before: { kind: 'restore' } });
  expect(await countPlans()).toBe(1);
  await storePlan('Three');
  expect(await countPlans()).toBe(2);

  expect(await listBackups()).toEqual([json.before, backup]);
  expect((await restore(json.before.name)).status).toBe(200);
  const { text } = await server.send('GET', '/fhir-r4/v1/CarePlan?subject=Patient/p');
  expect([text.includes('"One"'), text.includes('"Two"'), text.includes('"Three"')]).toEqual([
    true,
    true,
    false,
  ]);
});

test('stores backups privately and leaves no temporary file', async () => {
  await storePlan('One');
  const backup = await backUp();
  await restore(backup.name);
  const names = await readdir(folder());
  // Each with its description file.
  expect(names).toHaveLength(4);
  for (const name of names) expect((await stat(join(folder(), name))).mode & 0o777).toBe(0o600);
  expect((await stat(folder())).mode & 0o777).toBe(0o700);
  expect((await readdir(server.dataDir)).filter((name) => name.endsWith('.new'))).toEqual([]);
});

test.each(['..%2Frecords.db', 'none.db', 'workspace-2026-11-01T10-00-00-000Z-timed.db'])(
  'restores names of the list only: %s is rejected',
  async (name) => {
    await storePlan('One');
    await backUp();
    await writeFile(join(folder(), 'workspace-2026-11-01T10-00-00-000Z-timed.db'), '');
    const { status, json } = await restore(decodeURIComponent(name));
    expect([status, json.issue[0].code]).toEqual([404, 'not-found']);
    expect(await countPlans()).toBe(1);
  },
);

test('rejects and names a trigger disguised as an index', async () => {
  await storePlan('One');
  const { name } = await backUp();
  const database = connect(join(folder(), name));
  database.exec(
    "CREATE TRIGGER record_by_zz_X AFTER INSERT ON record BEGIN UPDATE record SET title = 'Other'; END",
  );
  database.close();
  const { status, json } = await restore(name);
  expect([status, json.issue[0].details.text]).toEqual([
    422,
    expect.stringContaining('trigger record_by_zz_X'),
  ]);
  await storePlan('Two');
  expect(await countPlans()).toBe(2);
});

test('erases despite a pipe with the name of a backup and reports the pipe', async () => {
  const { json } = await storePlan('One');
  await backUp();
  const pipe = 'records-2026-01-01T00-00-00-000Z-asked.db';
  execFileSync('mkfifo', [join(folder(), pipe)]);
  const erasure = { type: 'CarePlan', id: json.id, reason: 'Asked for' };
  const erasureResponse = await server.send('POST', '/app/erasures', JSON.stringify(erasure));
  expect(erasureResponse.status).toBe(201);
  expect(erasureResponse.json.backups.map((listedBackup: Backup) => listedBackup.name)).toContain(pipe);
  expect((await server.send('GET', '/app/backups')).json.skipped).toEqual([pipe]);
});

test('lists a backup in progress in an erasure, because it may contain the record', async () => {
  const { json } = await storePlan('One');
  const { name } = await backUp();
  await rename(join(folder(), name), join(folder(), `${name}.draft`));
  const erasure = { type: 'CarePlan', id: json.id, reason: 'Asked for' };
  const erasureResponse = await server.send('POST', '/app/erasures', JSON.stringify(erasure));
  expect(erasureResponse.json.backups).toMatchObject([{ name, place: 'first' }]);
});

test('omits other files from the list', async () => {
  await storePlan('One');
  const backup = await backUp();
  await writeFile(join(folder(), 'notes.txt'), '');
  await writeFile(join(folder(), `${backup.name}.draft`), '');
  expect(await listBackups()).toEqual([backup]);
});

test('audits backups and restores, also in the restored records', async () => {
  await storePlan('One');
  const { name } = await backUp();
  await restore(name);
  const { entries } = (await server.send('GET', '/app/audit')).json;
  expect(entries[0]).toMatchObject({ action: 'restore', what: name, status: 200, who: 'owner' });
  await restore((await listBackups())[0]?.name ?? '');
  const former = (await server.send('GET', '/app/audit?action=backup')).json;
  expect(former.entries).toMatchObject([{ action: 'backup', what: name, status: 200 }]);
});

test('never reuses a version number of restored records, so stale ETags are rejected', async () => {
  const { headers } = await storePlan('One');
  const path = new URL(headers.get('Location') ?? '').pathname.replace('/_history/1', '');
  const { name } = await backUp();
  const patch = (title: string, etag: string) =>
    server.send('PATCH', path, `[{"op":"replace","path":"/title","value":"${title}"}]`, { 'If-Match': etag });
  expect((await patch('Taken back', 'W/"1"')).headers.get('ETag')).toBe('W/"2"');

  await restore(name);
  expect((await patch('Of another', 'W/"1"')).headers.get('ETag')).toBe('W/"3"');
  expect((await patch('Over it', 'W/"2"')).status).toBe(412);
  // Later backups keep the number reserved.
  const laterBackup = await backUp();
  expect((await patch('Once more', 'W/"3"')).headers.get('ETag')).toBe('W/"4"');
  await restore(laterBackup.name);
  expect((await patch('Behind all', 'W/"3"')).headers.get('ETag')).toBe('W/"5"');
});

test('assigns an unused version number to an id imported again after a restore', async () => {
  await storePlan('One');
  const { name } = await backUp();
  const bring = (title: string) =>
    server.send('POST', '/app/import?keepIds=true', carePlan('Patient/q', `,"id":"q","title":"${title}"`), {
      'Content-Type': 'application/json',
    });
  await bring('First');
  await restore(name);
  await bring('Second');
  expect((await server.send('GET', '/fhir-r4/v1/CarePlan/q')).headers.get('ETag')).toBe('W/"2"');
});
