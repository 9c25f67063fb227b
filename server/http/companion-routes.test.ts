/** What came with records and is none: kept by an import, found by reference, erased with whom it is about. */
import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../store/sqlite/sqlite.ts';
import { verifyFile } from '../store/sqlite/verify.ts';
import { runCli } from '../testing/run-cli.ts';
import { carePlan, onSharedStore, startTestServer, type TestServer } from '../testing/test-server.ts';

/** Of what a server over a shared store has not: files of its own. */
const ofFolder = test.skipIf(onSharedStore);

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

const urn = 'urn:uuid:0d1e2f3a-0000-4000-8000-00000000000a';
const canary = 'Quokka-7714';
/** Numbers, escapes and the order of keys are such as a reader that parses would change. */
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

const get = (path: string) => server.send('GET', `/app/companions${path}`);
const resolve = (reference: string) => get(`/resolve?reference=${encodeURIComponent(reference)}`);
const erase = (type: string, id: string) =>
  server.send('POST', '/app/erasures', JSON.stringify({ type, id, reason: 'Asked for.' }));
const counts = async () => (await get('')).json.types as unknown;

function filesWithCanary(folder = server.dataDir): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesWithCanary(path);
    return readFileSync(path).includes(canary) ? [name] : [];
  });
}

test('an import of a document keeps its other resources to the last digit, and counts them by type', async () => {
  expect(await sendImport(bundle, 'application/json', '?keepIds=true&dryRun=true')).toMatchObject([
    { place: 1, result: 'stored' },
    { place: 2, result: 'kept', record: 'Patient/p1' },
    { result: 'kept' },
    { result: 'kept' },
    { companions: { Patient: 1 } },
  ]);
  expect(await counts()).toEqual([]);

  const report = await sendImport(bundle);
  expect(report.slice(1)).toEqual([
    { place: 2, result: 'kept', record: 'Patient/p1' },
    { place: 3, result: 'kept', record: 'Encounter/e1' },
    { place: 4, result: 'kept', record: 'Practitioner/0d1e2f3a-0000-4000-8000-00000000000b' },
    {
      done: { stored: 1, unchanged: 0, refused: 0, skipped: 0, kept: 3, replaced: 0 },
      companions: { Encounter: 1, Patient: 1, Practitioner: 1 },
      span: expect.anything(),
    },
  ]);
  expect((await get('/Patient/p1')).text).toBe(patient);
  expect(await counts()).toEqual([
    { type: 'Encounter', count: 1 },
    { type: 'Patient', count: 1 },
    { type: 'Practitioner', count: 1 },
  ]);
});

test('the same again stays as it is, other content of the same type and id takes its place', async () => {
  await sendImport(patient);
  expect((await sendImport(patient))[0]).toEqual({ result: 'unchanged', record: 'Patient/p1' });
  const other = patient.replace('1.10', '1.1');
  expect(await sendImport(other)).toMatchObject([
    { result: 'replaced' },
    { done: { kept: 0, replaced: 1 }, companions: { Patient: 1 } },
  ]);
  expect((await get('/Patient/p1')).text).toBe(other);
});

test('what is no resource of R4, or cannot be named, is refused with a sentence', async () => {
  const bodies = [
    '{"resourceType":"Doctor","id":"a"}',
    '{"resourceType":"Patient"}',
    '{"resourceType":"Patient","id":"no id"}',
    '{"resourceType":"Patient","id":"a","id":"b"}',
    '["Patient"]',
    '{"resourceType":"Parameters"}',
  ];
  expect(await sendImport(bodies.join('\n'), lines)).toMatchObject([
    { result: 'refused', reason: 'Doctor is no resource type of FHIR R4.' },
    { result: 'refused', reason: expect.stringContaining('no id and no fullUrl') },
    { result: 'refused', reason: expect.stringMatching(/^Patient\.id: The id is not a FHIR id/) },
    { result: 'refused' },
    { result: 'refused', reason: expect.stringContaining('no resourceType') },
    { result: 'skipped', reason: 'Parameters' },
    { done: { refused: 5, skipped: 1, kept: 0 } },
  ]);
  expect(await counts()).toEqual([]);
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
])('the reference %s leads to what it means, or to nothing', async (reference, text) => {
  await sendImport(bundle);
  const found = await resolve(reference);
  expect(found.status).toBe(text === undefined ? 404 : 200);
  if (text !== undefined) expect(found.text).toBe(text);
});

test('this server’s own address, and one that no fullUrl denies, lead to type and id', async () => {
  await sendImport(bundle);
  expect((await resolve(`${server.origin}/fhir-r4/v1/Patient/p1`)).status).toBe(200);
  await sendImport('{"resourceType":"Location","id":"l"}');
  expect((await resolve('https://clinic.example/fhir/Location/l')).json.id).toBe('l');
  expect((await server.send('GET', '/app/companions/resolve')).status).toBe(400);
});

test('the FHIR API has them not, and its answers are what they were', async () => {
  const ask = async () => {
    const paths = ['/Patient/p1', '/Patient', '/Encounter/e1', '/Patient/p1/_history'];
    const answers = paths.map((path) => server.send('GET', `/fhir-r4/v1${path}`));
    return (await Promise.all(answers)).map(({ status, json }) => [status, json.issue[0].details.text]);
  };
  const before = await ask();
  expect(before.map(([status]) => status)).toEqual([404, 404, 404, 404]);
  await sendImport(bundle);
  expect(await ask()).toEqual(before);
  const { json } = await server.send('GET', '/fhir-r4/v1/Composition?subject=Patient/p1&_include=*');
  expect(JSON.stringify(json)).not.toContain(canary);
});

test('they are exported a line each, of one type or of all, and import again as they are', async () => {
  await sendImport(bundle);
  const all = (await get('/export')).text;
  expect(all).toBe(`${encounter}\n${patient}\n${practitioner}\n`);
  expect((await get('/export?type=Patient')).text).toBe(`${patient}\n`);
  expect((await get('/export?type=Doctor')).status).toBe(400);
  const [first, second] = await sendImport(patient, lines);
  expect([first, second]).toMatchObject([{ result: 'unchanged' }, { done: { unchanged: 1 } }]);
  expect((await resolve(urn)).text).toBe(patient);
});

test('those of a type, or all, are removed, which the audit trail tells', async () => {
  await sendImport(bundle);
  const remove = (path = '') => server.send('DELETE', `/app/companions${path}`);
  expect((await remove('/Patient')).json).toEqual({ removed: 1 });
  expect((await get('/Patient/p1')).status).toBe(404);
  expect((await remove()).json).toEqual({ removed: 2 });
  expect(await counts()).toEqual([]);
  expect((await server.send('GET', '/fhir-r4/v1/Composition/c1')).status).toBe(200);
  const { entries: told } = (await server.send('GET', '/app/audit?action=delete')).json;
  expect(told.map(({ what, status }: { what: string; status: number }) => [what, status])).toEqual([
    ['/app/companions', 200],
    ['/app/companions/Patient', 200],
  ]);
  const kept = (await server.send('GET', '/app/audit?action=create&text=companions')).json.entries;
  expect(kept.map(({ what }: { what: string }) => what)).toContain('/app/companions/Patient/p1');
});

ofFolder(
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
    expect(await counts()).toEqual([
      { type: 'Goal', count: 1 },
      { type: 'Practitioner', count: 1 },
    ]);
    const { erasures } = (await server.send('GET', '/app/erasures')).json;
    expect(erasures.map((one: { type: string }) => one.type).sort()).toEqual([
      ...['Condition', 'Coverage', 'Encounter', 'Patient'],
    ]);
    expect((await sendImport(bundle)).slice(1, 3)).toMatchObject([
      { result: 'refused', reason: 'This Patient was erased.' },
      { result: 'refused', reason: 'This Encounter was erased.' },
    ]);
    const later = '{"resourceType":"Condition","id":"later","subject":{"reference":"Patient/p1"}}';
    expect((await sendImport(later))[0]).toMatchObject({ result: 'refused' });
    expect((await erase('Patient', 'p9')).status).toBe(404);
    expect((await erase('Patient', 'p1')).status).toBe(201);

    // A backup from before does not bring it back.
    const restored = await server.send('POST', `/app/backups/${name}/restore`);
    expect(restored.status).toBe(200);
    expect(restored.json.erased).toEqual(expect.arrayContaining(['Patient/p1', 'Encounter/e1']));
    expect((await get('/Patient/p1')).status).toBe(404);
    expect((await get('/Condition/x')).status).toBe(404);
    expect((await get('/Goal/x')).status).toBe(200);
  },
);

ofFolder('row 94: what was erased stands in no file of the data folder', async () => {
  await sendImport(patient);
  expect(filesWithCanary()).not.toEqual([]);
  expect((await erase('Patient', 'p1')).status).toBe(201);
  expect(filesWithCanary()).toEqual([]);
});

ofFolder('a backup and its restore hold them; one is made where nothing but companions came', async () => {
  await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/a'));
  await server.send('POST', '/app/backups');
  await sendImport(patient);
  const { name } = (await server.send('POST', '/app/backups')).json;
  await server.send('DELETE', '/app/companions');
  expect((await server.send('POST', `/app/backups/${name}/restore`)).status).toBe(200);
  expect((await get('/Patient/p1')).text).toBe(patient);
});

ofFolder(
  'verify names a companion whose text is not the one that was kept, and no answer has it',
  async () => {
    await sendImport(bundle);
    const path = join(server.dataDir, 'records.db');
    const copy = join(server.dataDir, 'copy.db');
    const database = connect(path);
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
    copyFileSync(path, copy);
    const other = connect(copy);
    other.prepare(`UPDATE companion SET body = replace(body, '1.10', '1.11') WHERE type = 'Patient'`).run();
    other.close();
    const problems: string[] = [];
    for await (const { where, problem } of verifyFile(copy)) problems.push(`${where} ${problem}`);
    expect(problems).toEqual(['Patient/p1, a companion has a text that is not the one that was kept.']);
  },
);

ofFolder('the command line keeps and erases them too', async () => {
  await sendImport(bundle);
  await server.close();
  const { stdout, code } = await runCli([
    ...['erase', 'Patient/p1', '--reason', 'Asked for.', '--data', server.dataDir],
  ]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Patient/p1 is erased')]);
});
