import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
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
  server = await startTestServer({}, noFaultBut(/^second place of backups: .* cannot be reached/));
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
const about = (id: string) => ({
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

/** Keeps the record in everything that the workspace has. */
async function keepEverywhere(id: string): Promise<string> {
  expect((await app('PUT', '/drafts/d-1', about(id))).status).toBe(200);
  expect((await app('PUT', '/session', sessionOf(id))).status).toBe(200);
  const operations = [{ path: '/title', value: `"${canary}"` }];
  const { json: run } = await app('POST', '/bulk', { label: canary, operations });
  const target = { place: 0, type: 'CarePlan', id, title: canary, state: 'waiting' };
  expect((await app('POST', `/bulk/${run.id}/targets`, [target])).status).toBeLessThan(300);
  return String(run.id);
}

/** Files below the data folder in which the canary stands. */
function filesWithCanary(folder = server.dataDir): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesWithCanary(path);
    return readFileSync(path).includes(canary) ? [name] : [];
  });
}

/** A shared store has none of its own. */
const backUp = async () => (onSharedStore ? undefined : (await app('POST', '/backups')).json);

test('row 94: an erased text stands in no file of the data folder but the backups that the answer lists', async () => {
  const before = await backUp();
  const id = await create();
  await server.send(
    'PUT',
    `${plans}/${id}`,
    carePlan('Patient/p', `,"title":"${canary} 2","note":[{"text":"${canary}"}]`),
  );
  await keepEverywhere(id);
  const held = await backUp();
  const backups = held ? [held.name] : [];
  // In a database or its log, as the checkpoints fell.
  expect(filesWithCanary()).toEqual(
    expect.arrayContaining([...backups, expect.stringMatching(/^workspace/)]),
  );
  if (held) expect(filesWithCanary().length).toBeGreaterThan(2);
  // Of so long a text something stands in the log until that is cut.
  const long = `,"description":"${canary.repeat(2000)}"`;
  await server.send('PUT', `${plans}/${id}`, carePlan('Patient/p', long));
  const { status, json } = await erase(id);
  expect(status).toBe(201);
  expect(json).toMatchObject({ type: 'CarePlan', id, who: 'owner', reason: 'Asked for.' });
  expect(json.backups).toEqual(held ? [{ name: held.name, time: held.time, place: 'first' }] : []);
  if (held) expect(before.name).not.toBe(held.name);
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

test.skipIf(onSharedStore)(
  'row 94: what lies in the second place alone is listed too, and a place that is away is named',
  async () => {
    const place = mkdtempSync(join(tmpdir(), 'chartkeeper-second-'));
    const id = await create();
    await app('PUT', '/backups/second-place', { folder: place });
    const held = (await app('POST', '/backups')).json;
    const gone = (await app('POST', '/backups')).json;
    expect([held.copied, gone.copied]).toEqual([true, true]);
    rmSync(join(server.dataDir, 'backups', gone.name));
    const after = (await erase(id)).json;
    const late = (await app('POST', '/backups')).json;
    rmSync(join(server.dataDir, 'backups', late.name));
    expect(after).toMatchObject({
      backups: [
        { name: gone.name, time: gone.time, place: 'second' },
        { name: held.name, time: held.time, place: 'first' },
      ],
      unseen: null,
    });
    const listed = (await app('GET', '/erasures')).json.erasures;
    expect(listed.find((one: { id: string }) => one.id === id)).toEqual(after);
    rmSync(place, { recursive: true });
    await app('GET', '/backups');
    const [away] = (await app('GET', '/erasures')).json.erasures;
    expect(away).toMatchObject({ backups: [{ name: held.name, place: 'first' }], unseen: place });
  },
);

test('row 94: what an open window sends of an erased record is not kept', async () => {
  const id = await create();
  await erase(id);
  expect((await app('PUT', '/drafts/d-1', about(id))).status).toBe(410);
  await app('PUT', '/session', sessionOf(id));
  expect(filesWithCanary()).toEqual([]);
});

test('row 94: the audit trail says who erased what, and why; its earlier entries stay', async () => {
  const id = await create();
  await erase(id);
  const { entries } = (await app('GET', '/audit')).json as { entries: Json[] };
  const told = entries.filter(({ what }) => String(what).includes(id));
  expect(told.map(({ action, what, who, status }) => ({ action, what, who, status }))).toEqual([
    { action: 'erase', what: `CarePlan/${id}: Asked for.`, who: 'owner', status: 201 },
    { action: 'create', what: `${plans}/${id}`, who: 'owner', status: 201 },
  ]);
  expect((await app('POST', '/audit/verify')).json.broken).toBeUndefined();
});

test.skipIf(onSharedStore)(
  'row 94: a restore of a backup from before leaves the erased out, and says so',
  async () => {
    const other = await create('Other');
    const id = await create();
    const { json: backup } = await app('POST', '/backups');
    await erase(id);
    const { status, json } = await app('POST', `/backups/${backup.name}/restore`);
    expect([status, json.erased]).toEqual([200, [`CarePlan/${id}`]]);
    expect((await server.send('GET', `${plans}/${id}`)).status).toBe(410);
    expect((await server.send('GET', `${plans}/${other}`)).status).toBe(200);
    expect(filesWithCanary()).toEqual([backup.name]);
  },
);

test('row 94: an import that keeps ids leaves the erased out, and says so', async () => {
  const id = await create();
  const { text } = await server.send('GET', `${plans}/${id}`);
  await erase(id);
  const { text: lines } = await server.send('POST', '/app/import?keepIds=true', text);
  expect(lines).toContain('refused');
  expect(lines).toContain('erased');
  expect((await server.send('GET', `${plans}/${id}`)).status).toBe(410);
});

test('row 94: an erasure needs a record that is there, a reason, and the owner; sent again it answers the same', async () => {
  const id = await create();
  expect((await erase('no-such-id')).status).toBe(404);
  for (const sent of [
    { type: 'CarePlan', id },
    { type: 'CarePlan', id, reason: ' ' },
    { type: 'patient', id, reason: 'x' },
  ])
    expect((await app('POST', '/erasures', sent)).status).toBe(400);
  const { json: minted } = await app('POST', '/tokens', { name: 'tool', scopes: ['system/*.*'] });
  const sent = JSON.stringify({ type: 'CarePlan', id, reason: 'x' });
  const refused = await sendTo(server.origin, `Bearer ${minted.token}`, 'POST', '/app/erasures', sent);
  expect(refused.status).toBe(403);
  expect((await server.send('GET', `${plans}/${id}`)).status).toBe(200);
  const done = await erase(id);
  expect((await erase(id)).json).toEqual(done.json);
});

test('refuses an erasure by a session that a minted token made, directly or by way of another session', async () => {
  const id = await create();
  const { json: minted } = await app('POST', '/tokens', { name: 'tool', scopes: ['system/*.*'] });
  const sessionOfCode = async (maker: string) => {
    const made = await sendTo(server.origin, `Bearer ${maker}`, 'POST', '/app/sign-in-codes', '{}');
    return tokenFor(server.origin, String(made.json.code));
  };
  const session = await sessionOfCode(minted.token);
  const second = await sessionOfCode(session);
  const sent = JSON.stringify({ type: 'CarePlan', id, reason: 'x' });
  for (const token of [session, second]) {
    const answer = await sendTo(server.origin, `Bearer ${token}`, 'POST', '/app/erasures', sent);
    expect(answer.status).toBe(403);
  }
  expect((await server.send('GET', `${plans}/${id}`)).status).toBe(200);
  const own = await tokenFor(server.origin, await server.signInCode());
  const erased = await sendTo(server.origin, `Bearer ${own}`, 'POST', '/app/erasures', sent);
  expect(erased.status).toBe(201);
});

test.skipIf(onSharedStore)(
  'row 94: a record that is listed and there all the same is erased at the next start',
  async () => {
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
    // The stop has backed the records up, as it was the first. A backup that this start still writes is listed as well.
    const listed: string[] = list.erasures[0].backups.map((one: { name: string }) => one.name);
    const files = filesWithCanary();
    expect([status, files]).toEqual([410, listed.filter((name) => files.includes(name))]);
    await next.close();
    const findings: unknown[] = [];
    for await (const finding of verifyFile(join(dataDir, 'records.db'))) findings.push(finding);
    expect(findings).toEqual([]);
  },
);
