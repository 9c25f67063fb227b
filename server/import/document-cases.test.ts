/** Documents of every form of input, and documents that changed or lack something. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { namesIn, readDocument, sendImport, type DocumentBundle, type Entry } from './testing/documents.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const base = 'http://c.example/fhir';
const addressed = (resource: Json, root = base): Entry => ({
  fullUrl: `${root}/${resource.resourceType}/${resource.id}`,
  resource,
});
const compositionOf = (id: string, members: object = {}): Json => ({
  resourceType: 'Composition',
  id,
  status: 'final',
  type: { text: 'Note' },
  date: '2026-01-02',
  title: 'Note',
  author: [{ display: 'A' }],
  subject: { reference: `Patient/p-${id}` },
  ...members,
});
const patientOf = (id: string): Json => ({ resourceType: 'Patient', id: `p-${id}`, name: [{ text: id }] });
const conditionOf = (id: string): Json => ({
  resourceType: 'Condition',
  id,
  subject: { reference: 'Patient/p' },
  evidence: [{ detail: [{ reference: `Observation/${id}` }] }],
});
const observationOf = (id: string): Json => ({
  resourceType: 'Observation',
  id,
  valueQuantity: { value: 1 },
});
const documentOf = (id: string, ...entry: readonly Entry[]): DocumentBundle => ({
  resourceType: 'Bundle',
  type: 'document',
  identifier: { system: 'http://x.example', value: id },
  timestamp: '2026-01-02T03:04:05Z',
  entry,
});

async function importDocument(came: DocumentBundle, query = 'keepIds=true'): Promise<string> {
  const [line] = await sendImport(server, JSON.stringify(came), query);
  return line.record as string;
}

test('keeps documents of large Bundles in any order of members, of lines and of XML', async () => {
  const large = (id: string) =>
    documentOf(
      id,
      addressed(compositionOf(id, { text: { div: 'x'.repeat(80_000) } })),
      addressed(patientOf(id)),
    );
  const { entry, type, ...head } = large('large-1');
  const lines = [
    large('large-2'),
    documentOf('line', addressed(compositionOf('line')), addressed(patientOf('line'))),
  ];
  const xml = `<Bundle xmlns="http://hl7.org/fhir"><meta><profile value="http://x.example/d"/></meta><identifier>
    <system value="http://x.example"/><value value="xml"/></identifier><type value="document"/>
    <timestamp value="2026-01-02T03:04:05.10Z"/><entry><fullUrl value="${base}/Composition/xml"/><resource>
    <Composition><id value="xml"/><status value="final"/><subject><reference value="Patient/p-xml"/></subject></Composition>
    </resource></entry><entry><fullUrl value="${base}/Patient/p-xml"/><resource><Patient><id value="p-xml"/></Patient>
    </resource></entry></Bundle>`;
  const path = '/app/import?level=off&keepIds=true';
  await server.send('POST', path, JSON.stringify({ entry, type, ...head }));
  await server.send('POST', path, lines.map((line) => JSON.stringify(line)).join('\n'), {
    'Content-Type': 'application/ndjson',
  });
  await server.send('POST', path, xml, { 'Content-Type': 'application/fhir+xml' });
  for (const id of ['large-1', 'large-2', 'line', 'xml']) {
    const out = await readDocument(server, `Composition/${id}`);
    expect([out.identifier.value, namesIn(out)]).toEqual([id, [`Composition/${id}`, `Patient/p-${id}`]]);
  }
  const out = await readDocument(server, 'Composition/xml');
  expect(out).toMatchObject({
    timestamp: '2026-01-02T03:04:05.10Z',
    meta: { profile: ['http://x.example/d'] },
  });
});

test('makes an edited document a new one, without what only its former state led to', async () => {
  const [kept, released] = [conditionOf('kept'), conditionOf('released')];
  const section = (...ids: readonly string[]) => [
    { title: 'A', entry: ids.map((id) => ({ reference: `Condition/${id}` })) },
  ];
  const came = documentOf(
    'edited',
    addressed(compositionOf('edited', { section: section('kept', 'released') })),
    addressed({ resourceType: 'Provenance', id: 'v', target: [{ reference: 'Composition/edited' }] }),
    addressed(released),
    addressed(observationOf('released')),
    addressed(kept),
    addressed(observationOf('kept')),
    addressed(patientOf('edited')),
  );
  const record = await importDocument(came);
  const text = JSON.stringify(compositionOf('edited', { section: section('kept', 'other') }));
  expect((await server.send('PUT', `/fhir-r4/v1/${record}`, text)).status).toBe(200);
  const out = await readDocument(server, record);
  expect(out.identifier.value).toMatch(/^urn:uuid:/);
  expect(out.timestamp).not.toBe(came.timestamp);
  expect(namesIn(out)).toEqual([
    'Composition/edited',
    'Provenance/v',
    'Condition/kept',
    'Observation/kept',
    'Patient/p-edited',
    'OperationOutcome/',
  ]);
  expect(out.entry.at(-1).resource.issue).toMatchObject([
    {
      details: { text: 'Condition/other is not stored here.' },
      expression: ['Composition.section[0].entry[1]'],
    },
  ]);
});

test('names what a document lacks, and gives it another identifier', async () => {
  const came = documentOf(
    'lacking',
    addressed(compositionOf('lacking')),
    { fullUrl: `${base}/Patient/none`, resource: { resourceType: 'Patient', id: 'not an id' } },
    addressed(patientOf('lacking')),
  );
  const record = await importDocument(came);
  const erase = { type: 'Patient', id: 'p-lacking', source: base, reason: 'Asked for.' };
  const lacking = await readDocument(server, record);
  expect((await server.send('POST', '/app/erasures', JSON.stringify(erase))).status).toBe(201);
  const erased = await readDocument(server, record);
  for (const [out, names] of [
    [lacking, [`${base}/Patient/none`]],
    [erased, [`${base}/Patient/none`, 'Patient/p-lacking']],
  ] as const) {
    expect(out.identifier.value).toMatch(/^urn:uuid:/);
    expect(out.entry.at(-1).resource.issue.map(({ details }: Json) => details.text)).toEqual(
      names.map((name) => `${name} is not stored here.`),
    );
  }
});

test('follows the records of its own source, not those with the same id', async () => {
  const plan = (title: string) => ({
    resourceType: 'CarePlan',
    id: 'shared',
    status: 'active',
    intent: 'plan',
    title,
  });
  const composition = (id: string) =>
    compositionOf(id, { section: [{ entry: [{ reference: 'CarePlan/shared' }] }] });
  const [rootA, rootB] = ['http://a.example/fhir', 'http://b.example/fhir'];
  const collection = (...entry: readonly Entry[]) =>
    JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry });
  await sendImport(server, collection(addressed(plan('Of A'), rootA)), 'keepIds=true');
  // B's plan has a new id. B's document came later, by itself.
  await sendImport(server, collection(addressed(plan('Of B'), rootB)), 'keepIds=false');
  const [[ofA], [ofB], [ofC]] = [
    await sendImport(server, collection(addressed(composition('of-a'), rootA)), 'keepIds=true'),
    await sendImport(server, collection(addressed(composition('of-b'), rootB)), 'keepIds=true'),
    await sendImport(
      server,
      collection(addressed(composition('of-c'), 'http://c.example/fhir')),
      'keepIds=true',
    ),
  ];
  const readTitle = async ({ record }: Json) => {
    const { entry } = await readDocument(server, record);
    return [entry[1].resource.title, JSON.stringify(entry.at(-1)).includes('came with another import')];
  };
  expect(await readTitle(ofA)).toEqual(['Of A', false]);
  expect(await readTitle(ofB)).toEqual(['Of B', false]);
  expect(await readTitle(ofC)).toEqual(['Of A', true]);
});

test('keeps nothing of a refused document until it is stored flagged', async () => {
  const came = documentOf(
    'refused',
    addressed(compositionOf('refused', { status: 7 })),
    addressed(patientOf('refused')),
  );
  const other = documentOf('fine', addressed(compositionOf('fine')), addressed(patientOf('fine')));
  const body = [came, other].map((document) => JSON.stringify(document)).join('\n');
  const importAt = async (level: string, query = '') => {
    const headers = { 'Content-Type': 'application/ndjson' };
    const path = `/app/import?keepIds=true&level=${level}${query}`;
    const { text } = await server.send('POST', path, body, headers);
    const lines = text.trim().split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line)).map(({ result, storable }) => [result, storable]);
  };
  const released = [
    ['refused', true],
    ['skipped', true],
  ];
  expect((await importAt('standard', '&dryRun=true')).slice(0, 2)).toEqual(released);
  expect(await importAt('standard')).toEqual([...released, ['stored', undefined], ['kept', undefined]]);
  const path = `/app/companions/Patient/p-refused?source=${encodeURIComponent(base)}`;
  expect((await server.send('GET', path)).status).toBe(404);
  expect((await importAt('off')).map(([result]) => result)).toEqual([
    'stored',
    'kept',
    'unchanged',
    'unchanged',
  ]);
  expect((await readDocument(server, 'Composition/refused')).identifier.value).toBe('refused');
});
