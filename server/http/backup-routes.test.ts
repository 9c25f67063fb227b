import { execFileSync } from 'node:child_process';
import { copyFile, readdir, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Backup, BackupList, BackupRestored } from '../../core/app/backups.ts';
import { is } from '../../core/json/shape.ts';
import { connect } from '../store/sqlite/sqlite.ts';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

const folder = () => join(server.dataDir, 'backups');
const plans = async () => (await server.send('GET', '/fhir-r4/v1/CarePlan?subject=Patient/p')).json.total;
const store = (title: string) =>
  server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/p', `,"title":"${title}"`));

async function backUp(): Promise<Backup> {
  const { status, json } = await server.send('POST', '/app/backups');
  if (status !== 201 || !is(Backup, json)) throw new Error(`No backup: ${JSON.stringify(json)}`);
  return json;
}

async function list(): Promise<readonly Backup[]> {
  const { json } = await server.send('GET', '/app/backups');
  if (!is(BackupList, json)) throw new TypeError('This is no list of backups.');
  expect(json.folder).toBe(folder());
  return json.backups;
}

const restore = (name: string) => server.send('POST', `/app/backups/${encodeURIComponent(name)}/restore`);

test('item 13: a backup is made, listed, and put back in the running server; what was there is kept', async () => {
  expect(await list()).toEqual([]);
  await store('One');
  const one = await backUp();
  expect(one).toMatchObject({ kind: 'asked', bytes: (await stat(join(folder(), one.name))).size });
  await store('Two');

  const { status, json } = await restore(one.name);
  expect([status, is(BackupRestored, json)]).toEqual([200, true]);
  expect(json).toMatchObject({ restored: one, before: { kind: 'restore' } });
  expect(await plans()).toBe(1);
  await store('Three');
  expect(await plans()).toBe(2);

  expect(await list()).toEqual([json.before, one]);
  expect((await restore(json.before.name)).status).toBe(200);
  const { text } = await server.send('GET', '/fhir-r4/v1/CarePlan?subject=Patient/p');
  expect([text.includes('"One"'), text.includes('"Two"'), text.includes('"Three"')]).toEqual([
    true,
    true,
    false,
  ]);
});

test('backups are private, and none of their drafts stays', async () => {
  await store('One');
  const one = await backUp();
  await restore(one.name);
  const names = await readdir(folder());
  // Each with what it says of its texts.
  expect(names).toHaveLength(4);
  for (const name of names) expect((await stat(join(folder(), name))).mode & 0o777).toBe(0o600);
  expect((await stat(folder())).mode & 0o777).toBe(0o700);
  expect((await readdir(server.dataDir)).filter((name) => name.endsWith('.new'))).toEqual([]);
});

test.each(['..%2Frecords.db', 'none.db', 'workspace-2026-11-01T10-00-00-000Z-timed.db'])(
  'only a name of the list is restored: %s is none',
  async (name) => {
    await store('One');
    await backUp();
    await writeFile(join(folder(), 'workspace-2026-11-01T10-00-00-000Z-timed.db'), '');
    const { status, json } = await restore(decodeURIComponent(name));
    expect([status, json.issue[0].code]).toEqual([404, 'not-found']);
    expect(await plans()).toBe(1);
  },
);

test('a backup that is not good is refused, and the records stay', async () => {
  await store('One');
  const { name, bytes } = await backUp();
  await truncate(join(folder(), name), bytes - 4096);
  const { status, json } = await restore(name);
  expect([status, json.issue[0].details.text]).toEqual([422, expect.stringContaining('(truncated)')]);
  await store('Two');
  expect(await plans()).toBe(2);
});

test('row 40: refuses a backup that brings a trigger under a name like an index’s, and names it', async () => {
  await store('One');
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
  await store('Two');
  expect(await plans()).toBe(2);
});

test('row 35: backups of a clock that was years ahead push out neither a new one nor what a restore replaces', async () => {
  await store('One');
  const { name } = await backUp();
  const ahead = Array.from({ length: 10 }, (_, day) => `records-2029-01-0${day}T00-00-00-000Z-asked.db`);
  for (const file of ahead.map((file) => file.replace('-00T', '-10T')))
    await copyFile(join(folder(), name), join(folder(), file));
  await store('Two');
  const second = await backUp();
  await store('Three');
  const { status, json } = await restore(name);
  expect([status, json.before.kind, await plans()]).toEqual([200, 'restore', 1]);
  expect((await list()).slice(0, 2)).toEqual([json.before, second]);
  expect((await restore(json.before.name)).status).toBe(200);
  expect(await plans()).toBe(3);
});

test('row 40: a pipe under a backup’s name holds up no erasure, which names it', async () => {
  const { json } = await store('One');
  await backUp();
  const pipe = 'records-2026-01-01T00-00-00-000Z-asked.db';
  execFileSync('mkfifo', [join(folder(), pipe)]);
  const erasure = { type: 'CarePlan', id: json.id, reason: 'Asked for' };
  const erased = await server.send('POST', '/app/erasures', JSON.stringify(erasure));
  expect(erased.status).toBe(201);
  expect(erased.json.backups.map((one: Backup) => one.name)).toContain(pipe);
  expect((await server.send('GET', '/app/backups')).json.skipped).toEqual([pipe]);
});

test('an erasure names a backup that is being written, as it may hold the record', async () => {
  const { json } = await store('One');
  const { name } = await backUp();
  await rename(join(folder(), name), join(folder(), `${name}.draft`));
  const erasure = { type: 'CarePlan', id: json.id, reason: 'Asked for' };
  const erased = await server.send('POST', '/app/erasures', JSON.stringify(erasure));
  expect(erased.json.backups).toMatchObject([{ name, place: 'first' }]);
});

test('a file of no backup is not listed', async () => {
  await store('One');
  const one = await backUp();
  await writeFile(join(folder(), 'notes.txt'), '');
  await writeFile(join(folder(), `${one.name}.draft`), '');
  expect(await list()).toEqual([one]);
});

test('who made a backup and who restored one stand in the audit trail, also in the records that came back', async () => {
  await store('One');
  const { name } = await backUp();
  await restore(name);
  const { entries } = (await server.send('GET', '/app/audit')).json;
  expect(entries[0]).toMatchObject({ action: 'restore', what: name, status: 200, who: 'owner' });
  await restore((await list())[0]?.name ?? '');
  const former = (await server.send('GET', '/app/audit?action=backup')).json;
  expect(former.entries).toMatchObject([{ action: 'backup', what: name, status: 200 }]);
});

test('a number that a restore took back is given to no other text: who still holds its ETag is refused', async () => {
  const { headers } = await store('One');
  const path = new URL(headers.get('Location') ?? '').pathname.replace('/_history/1', '');
  const { name } = await backUp();
  const patch = (title: string, etag: string) =>
    server.send('PATCH', path, `[{"op":"replace","path":"/title","value":"${title}"}]`, { 'If-Match': etag });
  expect((await patch('Taken back', 'W/"1"')).headers.get('ETag')).toBe('W/"2"');

  await restore(name);
  expect((await patch('Of another', 'W/"1"')).headers.get('ETag')).toBe('W/"3"');
  expect((await patch('Over it', 'W/"2"')).status).toBe(412);
  // The number stays taken in the backups that are made from now on.
  const later = await backUp();
  expect((await patch('Once more', 'W/"3"')).headers.get('ETag')).toBe('W/"4"');
  await restore(later.name);
  expect((await patch('Behind all', 'W/"3"')).headers.get('ETag')).toBe('W/"5"');
});

test('an id that is imported again behind a restore begins with a number that nobody holds', async () => {
  await store('One');
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
