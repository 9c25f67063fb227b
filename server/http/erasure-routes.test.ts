import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer } from '../start.ts';
import { pageFolder } from '../serve.ts';
import {
  carePlan,
  noFaultBut,
  onSharedStore,
  sendTo,
  startTestServer,
  type Json,
  type TestServer,
} from '../testing/test-server.ts';
import { tokenFor } from '../testing/sign-in.ts';
import { verifyFile } from '../store/sqlite/verify.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({}, noFaultBut(/^second location of backups: Can’t reach/));
});
afterEach(() => server.remove());

const plans = '/fhir-r4/v1/CarePlan';
const canary = 'Quokka-7713';

async function create(title = canary): Promise<string> {
  const { status, json } = await server.send('POST', plans, carePlan('Patient/p', `,"title":"${title}"`));
  expect(status).toBe(201);
  return String(json.id);
}

const app = (method: string, path: string, body?: unknown) =>
  server.send(method, `/app${path}`, body === undefined ? undefined : JSON.stringify(body));
const erase = (id: string) => app('POST', '/erasures', { type: 'CarePlan', id, reason: 'Asked for.' });
const draftOf = (id: string) => ({
  type: 'CarePlan',
  recordId: id,
  title: canary,
  window: 'w',
  base: canary,
  text: canary,
});
const sessionOf = (id: string) => {
  const record = { type: 'CarePlan', id, title: canary };
  return {
    tabs: [
      { kind: 'record', record },
      { kind: 'view', view: 'data' },
    ],
    active: 1,
    recent: [record],
  };
};

/** Stores the record in every part of the workspace. */
async function storeEverywhere(id: string): Promise<string> {
  expect((await app('PUT', '/drafts/d-1', draftOf(id))).status).toBe(200);
  expect((await app('PUT', '/session', sessionOf(id))).status).toBe(200);
  const operations = [{ path: '/title', value: `"${canary}"` }];
  const { json: run } = await app('POST', '/bulk', { label: canary, operations });
  const target = { place: 0, type: 'CarePlan', id, title: canary, state: 'waiting' };
  expect((await app('POST', `/bulk/${run.id}/targets`, [target])).status).toBeLessThan(300);
  return String(run.id);
}

/** Returns the files of the data folder that contain the canary. */
function filesWithCanary(folder = server.dataDir): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesWithCanary(path);
    return readFileSync(path).includes(canary) ? [name] : [];
  });
}

/** A shared store has no backups of its own. */
const backUp = async () => (onSharedStore ? undefined : (await app('POST', '/backups')).json);

// Row 94 of docs/api-rows.md.
test('leaves an erased text only in the backups that the response lists', async () => {
  const before = await backUp();
  const id = await create();
  await server.send(
    'PUT',
    `${plans}/${id}`,
    carePlan('Patient/p', `,"title":"${canary} 2","note":[{"text":"${canary}"}]`),
  );
  await storeEverywhere(id);
  const backup = await backUp();
  const backups = backup ? [backup.name] : [];
  // In the database or its WAL, depending on checkpoints.
  expect(filesWithCanary()).toEqual(
    expect.arrayContaining([...backups, expect.stringMatching(/^workspace/)]),
  );
  if (backup) expect(filesWithCanary().length).toBeGreaterThan(2);
  // Part of such a long text stays in the WAL until it is truncated.
  const longMember = `,"description":"${canary.repeat(2000)}"`;
  await server.send('PUT', `${plans}/${id}`, carePlan('Patient/p', longMember));
  const { status, json } = await erase(id);
  expect(status).toBe(201);
  expect(json).toMatchObject({ type: 'CarePlan', id, who: 'owner', reason: 'Asked for.' });
  expect(json.backups).toEqual(backup ? [{ name: backup.name, time: backup.time, place: 'first' }] : []);
  if (backup) expect(before.name).not.toBe(backup.name);
  expect(filesWithCanary()).toEqual(backups);
  expect((await app('GET', '/erasures')).json).toEqual({ erasures: [json] });
  expect((await app('GET', '/drafts')).json).toEqual([]);
  expect((await app('GET', '/bulk')).json).toEqual([]);
  expect((await app('GET', '/session')).json).toEqual({
    tabs: [{ kind: 'view', view: 'data' }],
    active: 0,
    recent: [],
  });
});

// Row 94 of docs/api-rows.md.
test('removes only the erased record from a bulk run with others', async () => {
  const [id, otherId] = [await create(), await create('Walk daily')];
  const run = await storeEverywhere(id);
  const otherTarget = { place: 1, type: 'CarePlan', id: otherId, title: 'Walk daily', state: 'waiting' };
  expect((await app('POST', `/bulk/${run}/targets`, [otherTarget])).status).toBeLessThan(300);
  expect((await erase(id)).status).toBe(201);
  const targets = (await app('GET', `/bulk/${run}/targets`)).text;
  expect(targets).toContain(otherId);
  expect(targets).not.toContain(canary);
  expect(targets).not.toContain(id);
  // An open window still reports its outcome.
  const lateTarget = { place: 0, type: 'CarePlan', id, title: canary, state: 'failed', detail: canary };
  expect((await app('POST', `/bulk/${run}/targets`, [lateTarget])).status).toBeLessThan(300);
  expect((await app('GET', `/bulk/${run}/targets`)).text).toBe(targets);
});

// Row 94 of docs/api-rows.md.
test.skipIf(onSharedStore)('lists replaced databases that contain the record', async () => {
  const id = await create();
  await storeEverywhere(id);
  // A restore at the command line moves aside a database and its WAL.
  const replacedNames = [
    ['records.db', '2026-01-01T00-00-00-000Z-0001'],
    // A name of another release.
    ['records.db', 'last-week'],
    ['workspace.db', '2026-01-01T00-00-00-000Z-0001'],
  ].map(([file = '', stamp = '']) => {
    const replacedName = `${file}.replaced-${stamp}`;
    for (const end of ['', '-wal'])
      copyFileSync(join(server.dataDir, file + end), join(server.dataDir, replacedName + end));
    return replacedName;
  });
  const otherId = await create('Walk daily');
  const { backups } = (await erase(id)).json;
  expect(backups.map(({ name }: Json) => name).sort()).toEqual(replacedNames);
  expect((await erase(otherId)).json.backups).toEqual([]);
});

// Row 94 of docs/api-rows.md.
test.skipIf(onSharedStore)('lists backups of the secondary folder and reports a missing folder', async () => {
  const place = mkdtempSync(join(tmpdir(), 'chartkeeper-second-'));
  const id = await create();
  await app('PUT', '/backups/second-place', { folder: place });
  const copiedBackup = (await app('POST', '/backups')).json;
  const removedBackup = (await app('POST', '/backups')).json;
  expect([copiedBackup.copied, removedBackup.copied]).toEqual([true, true]);
  rmSync(join(server.dataDir, 'backups', removedBackup.name));
  const after = (await erase(id)).json;
  const late = (await app('POST', '/backups')).json;
  rmSync(join(server.dataDir, 'backups', late.name));
  expect(after).toMatchObject({
    backups: [
      { name: removedBackup.name, time: removedBackup.time, place: 'second' },
      { name: copiedBackup.name, time: copiedBackup.time, place: 'first' },
    ],
    unseen: null,
  });
  const erasureList = (await app('GET', '/erasures')).json.erasures;
  expect(erasureList.find((erasure: { id: string }) => erasure.id === id)).toEqual(after);
  rmSync(place, { recursive: true });
  await app('GET', '/backups');
  const [away] = (await app('GET', '/erasures')).json.erasures;
  expect(away).toMatchObject({ backups: [{ name: copiedBackup.name, place: 'first' }], unseen: place });
});

// Row 94 of docs/api-rows.md.
test('rejects drafts and tabs of an erased record', async () => {
  const id = await create();
  await erase(id);
  expect((await app('PUT', '/drafts/d-1', draftOf(id))).status).toBe(410);
  await app('PUT', '/session', sessionOf(id));
  expect(filesWithCanary()).toEqual([]);
});

// Row 94 of docs/api-rows.md.
test('audits who erased a record and why and keeps earlier entries', async () => {
  const id = await create();
  await erase(id);
  const { entries } = (await app('GET', '/audit')).json as { entries: Json[] };
  const recordEntries = entries.filter(({ what: target }) => String(target).includes(id));
  expect(
    recordEntries.map(({ action, what: target, who: author, status }) => ({
      action,
      what: target,
      who: author,
      status,
    })),
  ).toEqual([
    { action: 'erase', what: `CarePlan/${id}: Asked for.`, who: 'owner', status: 201 },
    { action: 'create', what: `${plans}/${id}`, who: 'owner', status: 201 },
  ]);
  expect((await app('POST', '/audit/verify')).json.broken).toBeUndefined();
});

// Row 94 of docs/api-rows.md.
test.skipIf(onSharedStore)('excludes and reports erased records on a restore', async () => {
  const otherId = await create('Other');
  const id = await create();
  const { json: backup } = await app('POST', '/backups');
  await erase(id);
  const { status, json } = await app('POST', `/backups/${backup.name}/restore`);
  expect([status, json.erased]).toEqual([200, [`CarePlan/${id}`]]);
  expect((await server.send('GET', `${plans}/${id}`)).status).toBe(410);
  expect((await server.send('GET', `${plans}/${otherId}`)).status).toBe(200);
  expect(filesWithCanary()).toEqual([backup.name]);
});

// Row 94 of docs/api-rows.md.
test('excludes and reports erased records on an import with ids', async () => {
  const id = await create();
  const { text } = await server.send('GET', `${plans}/${id}`);
  await erase(id);
  const { text: lines } = await server.send('POST', '/app/import?keepIds=true', text);
  expect(lines).toContain('refused');
  expect(lines).toContain('erased');
  expect((await server.send('GET', `${plans}/${id}`)).status).toBe(410);
});

// Row 94 of docs/api-rows.md.
test('requires a record, a reason and the owner and repeats safely', async () => {
  const id = await create();
  expect((await erase('no-such-id')).status).toBe(404);
  for (const invalidErasure of [
    { type: 'CarePlan', id },
    { type: 'CarePlan', id, reason: ' ' },
    { type: 'patient', id, reason: 'x' },
  ])
    expect((await app('POST', '/erasures', invalidErasure)).status).toBe(400);
  const { json: minted } = await app('POST', '/tokens', { name: 'tool', scopes: ['system/*.*'] });
  const erasureBody = JSON.stringify({ type: 'CarePlan', id, reason: 'x' });
  const rejection = await sendTo(
    server.origin,
    `Bearer ${minted.token}`,
    'POST',
    '/app/erasures',
    erasureBody,
  );
  expect(rejection.status).toBe(403);
  expect((await server.send('GET', `${plans}/${id}`)).status).toBe(200);
  const done = await erase(id);
  expect((await erase(id)).json).toEqual(done.json);
});

test('rejects an erasure by a session of a created token, direct or indirect', async () => {
  const id = await create();
  const { json: minted } = await app('POST', '/tokens', { name: 'tool', scopes: ['system/*.*'] });
  const sessionOfCode = async (maker: string) => {
    const codeResponse = await sendTo(server.origin, `Bearer ${maker}`, 'POST', '/app/sign-in-codes', '{}');
    return tokenFor(server.origin, String(codeResponse.json.code));
  };
  const session = await sessionOfCode(minted.token);
  const secondSession = await sessionOfCode(session);
  const form = `grant_type=client_credentials&client_id=${minted.id}&client_secret=${minted.token}`;
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const { json: issued } = await sendTo(server.origin, undefined, 'POST', '/oauth2/token', form, type);
  const ofIssued = await sessionOfCode(issued.access_token);
  const erasureBody = JSON.stringify({ type: 'CarePlan', id, reason: 'x' });
  for (const token of [session, secondSession, issued.access_token, ofIssued]) {
    const answer = await sendTo(server.origin, `Bearer ${token}`, 'POST', '/app/erasures', erasureBody);
    expect(answer.status).toBe(403);
  }
  expect((await server.send('GET', `${plans}/${id}`)).status).toBe(200);
  const ownerToken = await tokenFor(server.origin, await server.signInCode());
  const erasureResponse = await sendTo(
    server.origin,
    `Bearer ${ownerToken}`,
    'POST',
    '/app/erasures',
    erasureBody,
  );
  expect(erasureResponse.status).toBe(201);
});

// Row 94 of docs/api-rows.md.
test.skipIf(onSharedStore)('erases a listed record that still exists at the next start', async () => {
  const id = await create();
  await server.close();
  const { openWorkspace } = await import('../workspace/workspace.ts');
  const workspace = await openWorkspace(join(server.dataDir, 'workspace.db'));
  workspace.erasures.add({
    type: 'CarePlan',
    id,
    time: new Date().toISOString(),
    who: 'owner',
    reason: 'x',
  });
  await workspace.close();
  const { dataDir, token } = server;
  const next = await startServer({ dataDir, port: 0, token, pageFolder, log: () => undefined });
  const { status } = await sendTo(next.origin, `Bearer ${token}`, 'GET', `${plans}/${id}`);
  const { json: list } = await sendTo(next.origin, `Bearer ${token}`, 'GET', '/app/erasures');
  // The first stop of the day created a backup. A backup that this start still writes is listed too.
  const listedBackups: string[] = list.erasures[0].backups.map((backup: { name: string }) => backup.name);
  const files = filesWithCanary();
  expect([status, files]).toEqual([410, listedBackups.filter((name) => files.includes(name))]);
  await next.close();
  const findings: unknown[] = [];
  for await (const finding of verifyFile(join(dataDir, 'records.db'))) findings.push(finding);
  expect(findings).toEqual([]);
});
