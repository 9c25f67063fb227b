/** Supporting resources: import, lookup by reference, erasure with their patient. */
import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../sqlite/sqlite.ts';
import { verifyFile } from '../store/sqlite/verify.ts';
import { runCli } from '../testing/run-cli.ts';
import { carePlan, onSharedStore, startTestServer, type TestServer } from '../testing/test-server.ts';

/** Not run on a shared store, which has no files of its own. */
const testLocal = test.skipIf(onSharedStore);

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

const urn = 'urn:uuid:0d1e2f3a-0000-4000-8000-00000000000a';
const canary = 'Quokka-7714';
/** Numbers, escapes and key order that a parser would change. */
const patient = `{"resourceType":"Patient","name":[{"family":"${canary}","given":["\\u0041da"]}],"id":"p1","x":[1.10,1e3,-0.0,12345678901234567890]}`;
const encounter = `{"resourceType":"Encounter","id":"e1","status":"finished","class":{"code":"AMB"},"subject":{"reference":"${urn}"}}`;
const practitioner = '{"resourceType":"Practitioner","name":[{"family":"Example"}]}';
const composition = `{"resourceType":"Composition","id":"c1","status":"final","type":{"text":"Note"},"subject":{"reference":"${urn}"},"encounter":{"reference":"Encounter/e1"},"date":"2026-01-02","author":[{"reference":"urn:uuid:0d1e2f3a-0000-4000-8000-00000000000b"}],"title":"Note"}`;
const entries = [
  [`urn:uuid:0d1e2f3a-0000-4000-8000-00000000000c`, composition],
  [urn, patient],
  ['https://clinic.example/fhir/Encounter/e1', encounter],
  ['urn:uuid:0D1E2F3A-0000-4000-8000-00000000000B', practitioner],
];
const bundle = `{"resourceType":"Bundle","type":"document","entry":[${entries
  .map(([fullUrl, resource]) => `{"fullUrl":"${fullUrl}","resource":${resource}}`)
  .join(',\n')}]}`;

const lines = 'application/x-ndjson';

async function sendImport(body: string, type = 'application/json', query = '?keepIds=true') {
  const { text } = await server.send('POST', `/app/import${query}`, body, { 'Content-Type': type });
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const requestSupporting = (path: string) => server.send('GET', `/app/companions${path}`);
const resolve = (reference: string) =>
  requestSupporting(`/resolve?reference=${encodeURIComponent(reference)}`);
const erase = (type: string, id: string) =>
  server.send('POST', '/app/erasures', JSON.stringify({ type, id, reason: 'Asked for.' }));
const readCounts = async () => (await requestSupporting('')).json.types as unknown;

function filesWithCanary(folder = server.dataDir): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesWithCanary(path);
    return readFileSync(path).includes(canary) ? [name] : [];
  });
}

test('imports other resources of a document exactly and counts them by type', async () => {
  expect(await sendImport(bundle, 'application/json', '?keepIds=true&dryRun=true')).toMatchObject([
    { place: 1, result: 'stored' },
    { place: 2, result: 'kept', record: 'Patient/p1' },
    { result: 'kept' },
    { result: 'kept' },
    { companions: { Patient: 1 } },
  ]);
  expect(await readCounts()).toEqual([]);

  const report = await sendImport(bundle);
  expect(report.slice(1)).toEqual([
    { place: 2, result: 'kept', record: 'Patient/p1' },
    { place: 3, result: 'kept', record: 'Encounter/e1' },
    { place: 4, result: 'kept', record: 'Practitioner/0d1e2f3a-0000-4000-8000-00000000000b' },
    {
      done: { stored: 1, unchanged: 0, refused: 0, skipped: 0, kept: 3, replaced: 0 },
      batch: expect.any(String) as string,
      companions: { Encounter: 1, Patient: 1, Practitioner: 1 },
      span: expect.anything(),
    },
  ]);
  expect((await requestSupporting('/Patient/p1')).text).toBe(patient);
  expect(await readCounts()).toEqual([
    { type: 'Encounter', count: 1 },
    { type: 'Patient', count: 1 },
    { type: 'Practitioner', count: 1 },
  ]);
});

test('keeps identical content and replaces content of the same address', async () => {
  const send = (text: string) =>
    sendImport(
      `{"resourceType":"Bundle","entry":[{"fullUrl":"https://clinic.example/Patient/p1","resource":${text}}]}`,
    );
  await send(patient);
  expect((await send(patient))[0]).toEqual({ place: 1, result: 'unchanged', record: 'Patient/p1' });
  const otherPatient = patient.replace('1.10', '1.1');
  expect(await send(otherPatient)).toMatchObject([
    { result: 'replaced' },
    { done: { kept: 0, replaced: 1 }, companions: { Patient: 1 } },
  ]);
  expect((await requestSupporting('/Patient/p1')).text).toBe(otherPatient);
});

test('reads a resource of one of several sources', async () => {
  await sendImport(bundle);
  const otherPatient = patient.replace('1.10', '1.1');
  await sendImport(
    `{"resourceType":"Bundle","entry":[{"fullUrl":"https://b.example/Patient/p1","resource":${otherPatient}}]}`,
  );
  const { status, text } = await requestSupporting('/Patient/p1');
  expect([status, text.includes('Several imports have different resources')]).toEqual([404, true]);
  expect((await requestSupporting('/Patient/p1?source=https://b.example')).text).toBe(otherPatient);
  expect((await requestSupporting(`/Patient/p1?source=${urn}`)).text).toBe(patient);
  expect((await requestSupporting('/Patient/p1?source=https://c.example')).status).toBe(404);
  expect((await requestSupporting('/Patient/p1?of=https://b.example')).status).toBe(400);
  expect((await resolve('Patient/p1')).status).toBe(404);
});

test('rejects an invalid R4 resource or id with a message', async () => {
  const bodies = [
    '{"resourceType":"Doctor","id":"a"}',
    '{"resourceType":"Patient"}',
    '{"resourceType":"Patient","id":"no id"}',
    '{"resourceType":"Patient","id":"a","id":"b"}',
    '["Patient"]',
    '{"resourceType":"Parameters"}',
  ];
  expect(await sendImport(bodies.join('\n'), lines)).toMatchObject([
    { result: 'refused', messageCode: 'import.unknownType', parameters: { type: 'Doctor' } },
    { result: 'refused', messageCode: 'related.unnamed' },
    { result: 'refused', expression: 'Patient.id', messageCode: 'related.id' },
    { result: 'refused' },
    { result: 'refused', messageCode: 'import.notAResource' },
    { result: 'skipped', messageCode: 'import.emptyLine' },
    { done: { refused: 5, skipped: 1, kept: 0 } },
  ]);
  expect(await readCounts()).toEqual([]);
});

test.each([
  ['Patient/p1', patient],
  ['Patient/p1/_history/7', patient],
  [urn, patient],
  [urn.toUpperCase().replace('URN:UUID', 'urn:uuid'), patient],
  ['https://clinic.example/fhir/Encounter/e1', encounter],
  ['https://clinic.example/fhir/Encounter/e1/_history/2', encounter],
  ['Encounter/e1', encounter],
  ['urn:uuid:0d1e2f3a-0000-4000-8000-00000000000b', practitioner],
  ['https://elsewhere.example/Encounter/e1', undefined],
  ['Patient/e1', undefined],
  ['#p1', undefined],
  ['p1', undefined],
])('resolves the reference %s', async (reference, text) => {
  await sendImport(bundle);
  const response = await resolve(reference);
  expect(response.status).toBe(text === undefined ? 404 : 200);
  if (text !== undefined) expect(response.text).toBe(text);
});

test('resolves addresses of this server and those without a contradicting fullUrl', async () => {
  await sendImport(bundle);
  expect((await resolve(`${server.origin}/fhir-r4/v1/Patient/p1`)).status).toBe(200);
  await sendImport('{"resourceType":"Location","id":"l"}');
  expect((await resolve('https://clinic.example/fhir/Location/l')).json.id).toBe('l');
  expect((await server.send('GET', '/app/companions/resolve')).status).toBe(400);
});

test('hides supporting resources from the FHIR API', async () => {
  const readResponses = async () => {
    const paths = ['/Patient/p1', '/Patient', '/Encounter/e1', '/Patient/p1/_history'];
    const answers = paths.map((path) => server.send('GET', `/fhir-r4/v1${path}`));
    return (await Promise.all(answers)).map(({ status, json }) => [status, json.issue[0].details.text]);
  };
  const before = await readResponses();
  expect(before.map(([status]) => status)).toEqual([404, 404, 404, 404]);
  await sendImport(bundle);
  expect(await readResponses()).toEqual(before);
  const { json } = await server.send('GET', '/fhir-r4/v1/Composition?subject=Patient/p1&_include=*');
  expect(JSON.stringify(json)).not.toContain(canary);
});

test('exports one line per resource, all or by type, for a new import', async () => {
  await sendImport(bundle);
  const exportedText = (await requestSupporting('/export')).text;
  expect(exportedText).toBe(`${encounter}\n${patient}\n${practitioner}\n`);
  expect((await requestSupporting('/export?type=Patient')).text).toBe(`${patient}\n`);
  expect((await requestSupporting('/export?type=Doctor')).status).toBe(400);
  const [firstLine, secondLine] = await sendImport(patient, lines);
  expect([firstLine, secondLine]).toMatchObject([{ result: 'kept' }, { done: { kept: 1 } }]);
  expect((await resolve(urn)).text).toBe(patient);
});

test('removes resources of a type or all and audits the removal', async () => {
  await sendImport(bundle);
  const remove = (path = '') => server.send('DELETE', `/app/companions${path}`);
  expect((await remove('/Patient')).json).toEqual({ removed: 1 });
  expect((await requestSupporting('/Patient/p1')).status).toBe(404);
  expect((await remove()).json).toEqual({ removed: 2 });
  expect(await readCounts()).toEqual([]);
  expect((await server.send('GET', '/fhir-r4/v1/Composition/c1')).status).toBe(200);
  const { entries: deleteEntries } = (await server.send('GET', '/app/audit?action=delete')).json;
  expect(deleteEntries.map(({ what: target, status }: Record<string, unknown>) => [target, status])).toEqual([
    ['/app/companions', 200],
    ['/app/companions/Patient', 200],
  ]);
  const createEntries = (await server.send('GET', '/app/audit?action=create&text=companions')).json.entries;
  expect(createEntries.map(({ what: target }: Record<string, unknown>) => target)).toContain(
    '/app/companions/Patient/p1',
  );
});

testLocal(
  'row 94: an erased patient takes along what is about it, leaves no byte, and does not come back',
  async () => {
    await sendImport(bundle);
    await sendImport(
      ['Condition', 'Goal', 'Coverage']
        .map((type) => {
          const element = { Condition: 'subject', Goal: 'subject', Coverage: 'beneficiary' }[type] ?? '';
          return `{"resourceType":"${type}","id":"x","${element}":{"reference":"Patient/${type === 'Goal' ? 'p2' : 'p1'}","display":"${canary}"}}`;
        })
        .join('\n'),
      lines,
    );
    const { name } = (await server.send('POST', '/app/backups')).json;
    const { status, json } = await erase('Patient', 'p1');
    expect([status, json.type, json.id]).toEqual([201, 'Patient', 'p1']);
    expect(json.backups.map((backup: { name: string }) => backup.name)).toEqual([name]);
    expect(await readCounts()).toEqual([
      { type: 'Goal', count: 1 },
      { type: 'Practitioner', count: 1 },
    ]);
    const { erasures } = (await server.send('GET', '/app/erasures')).json;
    expect(erasures.map((erasure: { type: string }) => erasure.type).sort()).toEqual([
      'Condition',
      'Coverage',
      'Encounter',
      'Patient',
    ]);
    expect((await sendImport(bundle)).slice(1, 3)).toMatchObject([
      { result: 'refused', reason: 'This Patient was erased.' },
      { result: 'refused', reason: 'This Encounter was erased.' },
    ]);
    const laterCondition = '{"resourceType":"Condition","id":"later","subject":{"reference":"Patient/p1"}}';
    expect((await sendImport(laterCondition))[0]).toMatchObject({ result: 'refused' });
    expect((await erase('Patient', 'p9')).status).toBe(404);
    expect((await erase('Patient', 'p1')).status).toBe(201);

    // A backup from before the erasure does not restore it.
    const restoreResponse = await server.send('POST', `/app/backups/${name}/restore`);
    expect(restoreResponse.status).toBe(200);
    expect(restoreResponse.json.erased).toEqual(expect.arrayContaining(['Patient/p1', 'Encounter/e1']));
    expect((await requestSupporting('/Patient/p1')).status).toBe(404);
    expect((await requestSupporting('/Condition/x')).status).toBe(404);
    expect((await requestSupporting('/Goal/x')).status).toBe(200);
  },
);

testLocal('row 94: what was erased stands in no file of the data folder', async () => {
  await sendImport(patient);
  expect(filesWithCanary()).not.toEqual([]);
  expect((await erase('Patient', 'p1')).status).toBe(201);
  expect(filesWithCanary()).toEqual([]);
});

testLocal('backs up and restores supporting resources, also after an import without records', async () => {
  await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/a'));
  await server.send('POST', '/app/backups');
  await sendImport(patient);
  const { name } = (await server.send('POST', '/app/backups')).json;
  await server.send('DELETE', '/app/companions');
  expect((await server.send('POST', `/app/backups/${name}/restore`)).status).toBe(200);
  expect((await requestSupporting('/Patient/p1')).text).toBe(patient);
});

testLocal('reports a supporting resource with a changed text at verification', async () => {
  await sendImport(bundle);
  const path = join(server.dataDir, 'records.db');
  const copy = join(server.dataDir, 'copy.db');
  const database = connect(path);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  copyFileSync(path, copy);
  const damagedCopy = connect(copy);
  damagedCopy
    .prepare(`UPDATE companion SET body = replace(body, '1.10', '1.11') WHERE type = 'Patient'`)
    .run();
  damagedCopy.close();
  const problems: string[] = [];
  for await (const { where, problem } of verifyFile(copy)) problems.push(`${where} ${problem}`);
  expect(problems).toEqual(['Patient/p1, a related resource has a damaged text.']);
});

testLocal('erases an imported supporting resource on the command line', async () => {
  await sendImport(bundle);
  await server.close();
  const { stdout, code } = await runCli([
    'erase',
    'Patient/p1',
    '--reason',
    'Asked for.',
    '--data',
    server.dataDir,
  ]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Patient/p1 erased')]);
});
