/** An erasure reaches every copy. The tests place a word wherever the product stores parts of a resource. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer } from '../start.ts';
import { pageFolder } from '../serve.ts';
import { connect } from '../sqlite/sqlite.ts';
import { carePlan, onSharedStore, sendTo, startTestServer, type TestServer } from '../testing/test-server.ts';
import { createRecordDetector } from '../workspace/erasures.ts';
import { openWorkspace } from '../workspace/workspace.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

const canary = 'Quokka-7715';
const app = (method: string, path: string, body?: unknown) =>
  server.send(method, `/app${path}`, body === undefined ? undefined : JSON.stringify(body));
const erase = (type: string, id: string) => app('POST', '/erasures', { type, id, reason: 'Asked for.' });

function filesWithCanary(folder = server.dataDir): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesWithCanary(path);
    return readFileSync(path).includes(canary) ? [name] : [];
  });
}

const patientTab = { kind: 'patient', patient: { id: 'p1', name: canary } } as const;
const session = (tabs: readonly object[], recent: readonly object[] = []) => ({ tabs, active: 0, recent });

/** Imports a document whose resources all name the patient. */
async function importPatient(): Promise<void> {
  const resources = [
    { resourceType: 'Patient', id: 'p1', name: [{ text: canary }], contact: [{ name: { text: canary } }] },
    { resourceType: 'Encounter', id: 'e1', subject: { reference: 'Patient/p1', display: canary } },
    { resourceType: 'Coverage', id: 'c1', beneficiary: { reference: 'Patient/p1', display: canary } },
  ];
  const entry = resources.map((resource) => ({
    fullUrl: `https://a.example/fhir/${resource.resourceType}/${resource.id}`,
    resource,
  }));
  const bundle = JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry });
  const importResponse = await server.send('POST', '/app/import', bundle, {
    'Content-Type': 'application/json',
  });
  expect(importResponse.text).toContain('"kept":3');
}

test('leaves no word of an erased patient in a file, running or stopped', async () => {
  await importPatient();
  const plan = await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/p1'));
  // Each of these reads the name and could store it.
  const names = await app('POST', '/subject-names', { of: ['p1', `CarePlan/${plan.json.id}`] });
  expect(names.text).toContain(canary);
  expect((await app('GET', '/companions/resolve?reference=Patient/p1')).text).toContain(canary);
  expect((await app('PUT', '/session', session([patientTab]))).status).toBe(200);
  expect((await app('GET', '/session')).json.tabs).toEqual([
    { kind: 'patient', patient: { id: 'p1', name: '' } },
  ]);
  expect((await erase('Patient', 'p1')).status).toBe(201);
  expect(filesWithCanary()).toEqual([]);
  // A window without the news sends its tabs again.
  await app('PUT', '/session', session([patientTab]));
  expect(filesWithCanary()).toEqual([]);
  await server.close();
  expect(filesWithCanary()).toEqual([]);
});

test('leaves no word of an erased record in a file, running or stopped', async () => {
  const note = `"title":"${canary}","note":[{"text":"${canary}"}],"text":{"status":"generated","div":"<div xmlns=\\"http://www.w3.org/1999/xhtml\\">${canary}</div>"}`;
  const subject = `{"reference":"Patient/p1","display":"${canary}"}`;
  const body = `{"resourceType":"CarePlan","status":"active","intent":"plan","subject":${subject},${note}}`;
  const createResponse = await server.send('POST', '/fhir-r4/v1/CarePlan', body);
  expect(createResponse.status).toBe(201);
  const { id } = createResponse.json as { id: string };
  const record = { type: 'CarePlan', id, title: canary };
  await app('PUT', '/session', session([patientTab, { kind: 'record', record }], [record]));
  const texts = { title: canary, window: 'w', base: canary, text: canary };
  expect((await app('PUT', '/drafts/d', { type: 'CarePlan', recordId: id, ...texts })).status).toBe(200);
  const operations = [{ path: '/title', value: `"${canary}"` }];
  const { json: run } = await app('POST', '/bulk', { label: canary, operations });
  await app('POST', `/bulk/${run.id}/targets`, [{ place: 0, ...record, state: 'waiting' }]);
  await expect
    .poll(async () => (await app('GET', '/find?q=quokka')).json)
    .toMatchObject({ behind: 0, records: [{}] });
  expect(filesWithCanary()).not.toEqual([]);
  expect((await erase('CarePlan', id)).status).toBe(201);
  expect(filesWithCanary()).toEqual([]);
  await server.close();
  expect(filesWithCanary()).toEqual([]);
});

test.skipIf(onSharedStore)('removes a name that a previous version stored in a tab', async () => {
  await importPatient();
  await server.close();
  const database = connect(join(server.dataDir, 'workspace.db'));
  database
    .prepare("INSERT OR REPLACE INTO setting (name, value) VALUES ('session', ?)")
    .run(JSON.stringify(session([patientTab])));
  const containsRecord = createRecordDetector(database);
  expect(containsRecord({ type: 'Patient', id: 'p1' })).toBe(true);
  expect(containsRecord({ type: 'Patient', id: 'p2' })).toBe(false);
  database.close();
  const { dataDir, token } = server;
  const next = await startServer({ dataDir, port: 0, token, pageFolder, log: () => undefined });
  const erasureBody = JSON.stringify({ type: 'Patient', id: 'p1', reason: 'Asked for.' });
  const request = (method: string, body?: string) =>
    sendTo(next.origin, `Bearer ${token}`, method, '/app/erasures', body);
  expect((await request('POST', erasureBody)).status).toBe(201);
  // The stop or the start creates a backup, which is listed for recovery.
  let listedBackups: readonly string[] = [];
  const listUnlistedFiles = () => filesWithCanary().filter((name) => !listedBackups.includes(name));
  await expect
    .poll(async () => {
      const { erasures } = (await request('GET')).json as {
        erasures: { id: string; backups: { name: string }[] }[];
      };
      listedBackups = erasures.find(({ id }) => id === 'p1')?.backups.map(({ name }) => name) ?? [];
      return listUnlistedFiles();
    })
    .toEqual([]);
  await next.close();
  expect(listUnlistedFiles()).toEqual([]);
  const workspace = await openWorkspace(join(dataDir, 'workspace.db'));
  const { tabs } = (await workspace.session('')) ?? { tabs: [] };
  await workspace.close();
  expect(tabs).toEqual([{ kind: 'patient', patient: { id: 'p1', name: '' } }]);
});
