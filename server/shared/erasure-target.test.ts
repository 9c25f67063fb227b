/** Erasures with several servers over one store. erasure-routes.test.ts tests a single server. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from './postgres/migrate.ts';
import { emptyStore, testDatabase } from '../testing/postgres.ts';
import { startSharedTestServer, type SharedTestServer } from '../testing/shared-server.ts';
import { createSharedErasureTarget } from './start-shared.ts';
import { carePlan, type Json } from '../testing/test-server.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const plans = '/fhir-r4/v1/CarePlan';
const canary = 'zymurgyword';

/** Returns the files below a folder that contain the canary. */
function filesWithCanary(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesWithCanary(path);
    return readFileSync(path, 'latin1').toLowerCase().includes(canary) ? [name] : [];
  });
}

const draftOf = (id: string) => ({
  type: 'CarePlan',
  recordId: id,
  title: canary,
  window: 'w',
  base: canary,
  text: canary,
});

// A notification of the database would come a moment later.
test('reloads the list of erased records before the request is answered', async () => {
  const steps: string[] = [];
  const target = createSharedErasureTarget({
    store: { erase: () => Promise.resolve([String(steps.push('erased'))]) },
    reloadList: () => Promise.resolve(void steps.push('reloaded')),
  });
  const erasure = {
    type: 'CarePlan',
    id: 'one',
    who: 'owner',
    reason: 'Asked for.',
    requestId: 'r',
  } as const;
  expect(await target.remove({ ...erasure, time: '2026-01-01T00:00:00.000Z' })).toBe(true);
  expect(steps).toEqual(['erased', 'reloaded']);
});

describe.skipIf(!database)('an erasure at one server (not run where PostgreSQL is not installed)', () => {
  const { address = '', admin } = database ?? {};
  beforeEach(async () => {
    if (database) await emptyStore(database);
  });

  async function startServers(count: number): Promise<SharedTestServer[]> {
    const serverList = await Promise.all(Array.from({ length: count }, () => startSharedTestServer(address)));
    onTestFinished(async () => {
      for (const server of serverList) await server.remove();
    });
    return serverList;
  }

  const create = async ({ send }: SharedTestServer) =>
    String((await send('POST', plans, carePlan('Patient/p', `,"title":"${canary}"`))).json.id);
  const erase = ({ send }: SharedTestServer, id: string) =>
    send('POST', '/app/erasures', JSON.stringify({ type: 'CarePlan', id, reason: 'Asked for.' }));
  /** Resolves when the index of a server contains the record. */
  const waitUntilIndexed = ({ send }: SharedTestServer) =>
    expect
      .poll(async () => (await send('GET', `/app/find?q=${canary}`)).json)
      .toMatchObject({ behind: 0, records: [{}] });

  test('removes the record at all servers and their folders, even after an outage', async () => {
    const [firstServer, otherServer, stoppedServer] = await startServers(3);
    if (!firstServer || !otherServer || !stoppedServer) throw new Error('No servers.');
    const id = await create(firstServer);
    expect((await firstServer.send('PUT', '/app/drafts/d-1', JSON.stringify(draftOf(id)))).status).toBe(200);
    for (const server of [firstServer, otherServer, stoppedServer]) {
      await waitUntilIndexed(server);
      await expect.poll(() => filesWithCanary(server.dataDir).join(' ')).toContain('workspace');
    }
    await stoppedServer.close();
    expect(filesWithCanary(stoppedServer.dataDir)).toEqual(
      expect.arrayContaining(['text.db', 'workspace.db']),
    );
    const done = await erase(firstServer, id);
    expect([done.status, done.json]).toMatchObject([201, { id, backups: [], unseen: null }]);
    expect(filesWithCanary(firstServer.dataDir)).toEqual([]);
    await expect.poll(() => filesWithCanary(otherServer.dataDir)).toEqual([]);
    expect((await otherServer.send('GET', `${plans}/${id}`)).status).toBe(410);
    expect((await otherServer.send('GET', '/app/erasures')).json).toEqual({ erasures: [done.json] });
    expect((await otherServer.send('GET', '/app/drafts')).json).toEqual([]);
    expect((await otherServer.send('GET', `/app/find?q=${canary}`)).json.records).toEqual([]);
    expect((await erase(otherServer, id)).json).toEqual(done.json);
    await stoppedServer.restart();
    expect(filesWithCanary(stoppedServer.dataDir)).toEqual([]);
    expect((await stoppedServer.send('GET', `${plans}/${id}`)).status).toBe(410);
    expect((await otherServer.send('POST', '/app/audit/verify')).json.broken).toBeUndefined();
  });

  // Row 94 of docs/api-rows.md.
  test('erases and lists the resources about an erased patient', async () => {
    const [server, otherServer] = await startServers(2);
    if (!server || !otherServer) throw new Error('No servers.');
    const subject = { reference: 'Patient/p1' };
    const resources = [
      { resourceType: 'Patient', id: 'p1' },
      { resourceType: 'Condition', id: 'c1', subject },
      { resourceType: 'Goal', id: 'g1', subject },
    ];
    const bundle = {
      resourceType: 'Bundle',
      type: 'collection',
      entry: resources.map((resource) => ({ resource })),
    };
    const importResponse = await server.send('POST', '/app/import', JSON.stringify(bundle), {
      'Content-Type': 'application/json',
    });
    expect(importResponse.text).toContain('"kept":3');
    const body = JSON.stringify({ type: 'Patient', id: 'p1', reason: 'Asked for.' });
    expect((await server.send('POST', '/app/erasures', body)).status).toBe(201);
    const listErased = async ({ send }: SharedTestServer) =>
      (await send('GET', '/app/erasures')).json.erasures.map(({ type, id }: Json) => `${type}/${id}`).sort();
    const erasedNames = ['Condition/c1', 'Goal/g1', 'Patient/p1'];
    expect(await listErased(server)).toEqual(erasedNames);
    await expect.poll(() => listErased(otherServer)).toEqual(erasedNames);
  });

  test('leaves no word of a record or patient in any table', async () => {
    const [server] = await startServers(1);
    if (!server) throw new Error('No servers.');
    const tablesWithCanary = async () => {
      const tables = await admin?.((client) =>
        client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'chartkeeper' ORDER BY tablename"),
      );
      const tableNames: string[] = [];
      for (const { tablename } of tables?.rows ?? []) {
        const hex = Buffer.from(canary).toString('hex');
        const text = `SELECT 1 FROM chartkeeper."${tablename}" t WHERE t::text ~ $1 LIMIT 1`;
        const rows = await admin?.((client) => client.query(text, [`${canary}|${hex}`]));
        if (rows?.rows.length) tableNames.push(String(tablename));
      }
      return tableNames;
    };
    const id = await create(server);
    const person = `{"resourceType":"Patient","id":"p1","name":[{"text":"${canary}"}]}`;
    const visit = `{"resourceType":"Encounter","id":"e1","subject":{"reference":"Patient/p1","display":"${canary}"}}`;
    const type = { 'Content-Type': 'application/x-ndjson' };
    await server.send('POST', '/app/import', `${person}\n${visit}`, type);
    expect((await server.send('PUT', '/app/drafts/d-1', JSON.stringify(draftOf(id)))).status).toBe(200);
    const record = { type: 'CarePlan', id, title: canary };
    const tabs = [
      { kind: 'record', record },
      { kind: 'patient', patient: { id: 'p1', name: canary } },
    ];
    await server.send('PUT', '/app/session', JSON.stringify({ tabs, active: 0, recent: [record] }));
    await expect
      .poll(tablesWithCanary)
      .toEqual(expect.arrayContaining(['companion', 'version', 'workspace']));
    expect((await erase(server, id)).status).toBe(201);
    const erasureBody = JSON.stringify({ type: 'Patient', id: 'p1', reason: 'Asked for.' });
    expect((await server.send('POST', '/app/erasures', erasureBody)).status).toBe(201);
    await expect.poll(tablesWithCanary).toEqual([]);
    expect(filesWithCanary(server.dataDir)).toEqual([]);
  });

  test('removes late data of the record from a server without the news', async () => {
    const [firstServer, otherServer] = await startServers(2);
    if (!firstServer || !otherServer) throw new Error('No servers.');
    const id = await create(firstServer);
    await erase(firstServer, id);
    await expect.poll(async () => (await otherServer.send('GET', `${plans}/${id}`)).status).toBe(410);
    const late = {
      server: '',
      id: 'd-9',
      type: 'CarePlan',
      record: id,
      title: canary,
      window: 'w',
      saved: 1,
    };
    const body = JSON.stringify({
      ...late,
      base_version: null,
      base_etag: null,
      base: '""',
      text: `"${canary}"`,
    });
    await admin?.((client) =>
      client.query(
        `INSERT INTO chartkeeper.workspace VALUES ('draft', '["d-9"]', $1, nextval('chartkeeper.workspace_stamp'), 0)`,
        [body],
      ),
    );
    const readDrafts = async () =>
      (await admin?.((client) => client.query("SELECT body FROM chartkeeper.workspace WHERE name = 'draft'")))
        ?.rows;
    await expect.poll(readDrafts).toEqual([{ body: null }]);
    for (const { dataDir } of [firstServer, otherServer])
      await expect.poll(() => filesWithCanary(dataDir)).toEqual([]);
  });

  // An unfinished removal would log a fault, which fails the test.
  test('finishes the removal at another server before that server stops', async () => {
    const [firstServer, otherServer] = await startServers(2);
    if (!firstServer || !otherServer) throw new Error('No servers.');
    for (let round = 0; round < 4; round += 1) {
      const id = await create(firstServer);
      await waitUntilIndexed(otherServer);
      expect((await erase(firstServer, id)).status).toBe(201);
      const listErased = async () =>
        (await otherServer.send('GET', '/app/erasures')).json.erasures.map((erasure: Json) => erasure.id);
      await expect.poll(listErased, { interval: 1 }).toContain(id);
      await otherServer.close();
      expect(filesWithCanary(otherServer.dataDir)).toEqual([]);
      await otherServer.restart();
    }
  });

  test('wins against a concurrent import at another server', async () => {
    const [firstServer, otherServer] = await startServers(2);
    if (!firstServer || !otherServer) throw new Error('No servers.');
    for (let round = 0; round < 8; round += 1) {
      const id = await create(firstServer);
      const { text } = await firstServer.send('GET', `${plans}/${id}`);
      const changedText = text.replace(canary, 'another');
      const [erasureResponse] = await Promise.all([
        erase(firstServer, id),
        ...Array.from({ length: 4 }, () =>
          otherServer.send('POST', '/app/import?keepIds=true', changedText, {
            'Content-Type': 'application/x-ndjson',
          }),
        ),
      ]);
      expect(erasureResponse.status).toBe(201);
      expect((await firstServer.send('GET', `${plans}/${id}`)).status).toBe(410);
    }
    expect((await firstServer.send('GET', '/app/overview')).json.counts.CarePlan).toBe(0);
  });
});
