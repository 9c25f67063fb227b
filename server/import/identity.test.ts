/** Identity of imported resources: two sources may use the same ids. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

const patient = (name: string) => ({ resourceType: 'Patient', id: 'p1', name: [{ text: name }] });
const compositionOf = (name: string) => ({
  resourceType: 'Composition',
  id: 'c1',
  status: 'final',
  type: { text: 'Note' },
  date: '2026-01-02',
  title: `Document of ${name}`,
  author: [{ reference: 'Practitioner/d' }],
  subject: { reference: 'Patient/p1' },
});
const practitioner = (name: string) => ({
  resourceType: 'Practitioner',
  id: 'd',
  name: [{ text: `Dr ${name}` }],
});

/** Creates a document of a source with the ids of every other one. */
function createDocument(base: string, name: string) {
  const resources = [compositionOf(name), patient(name), practitioner(name)];
  const entry = resources.map((resource) => ({
    fullUrl: `${base}/${resource.resourceType}/${resource.id}`,
    resource,
  }));
  return { resourceType: 'Bundle', type: 'document', entry };
}

async function sendImport(body: object, query = ''): Promise<readonly { result?: string; record: string }[]> {
  const headers = { 'Content-Type': 'application/json' };
  const { text } = await server.send('POST', `/app/import${query}`, JSON.stringify(body), headers);
  const lines = text.trim().split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line) as { result?: string; record: string });
}

async function readPeople(record: string): Promise<unknown[]> {
  const { json } = await server.send('GET', `/fhir-r4/v1/${record}/$document`);
  return json.entry.map(
    ({ resource }: { resource: { title?: string; name?: [{ text: string }] } }) =>
      resource.title ?? resource.name?.[0].text,
  );
}

const readSubjectName = async (record: string) =>
  (await server.send('POST', '/app/subject-names', JSON.stringify({ of: [record] }))).json.names[
    record
  ] as unknown;

async function readReferenceNames(record: string | undefined, reference: string): Promise<unknown> {
  const body = JSON.stringify({ of: [reference], record });
  const { names, ambiguous } = (await server.send('POST', '/app/reference-names', body)).json;
  return ambiguous ?? names[reference];
}

const resolvePatient = async (record: string) =>
  (await server.send('GET', `/app/companions/resolve?reference=Patient/p1&record=${record}`)).json.name[0]
    .text as unknown;

const importBoth = async () => {
  const [ofA, ofB] = [
    await sendImport(createDocument('http://a.example/fhir', 'Alpha')),
    await sendImport(createDocument('http://b.example/fhir', 'Beta')),
  ];
  expect([...ofA, ...ofB].map(({ result }) => result)).toEqual([
    'stored',
    'kept',
    'kept',
    'stored',
    'kept',
    'kept',
  ]);
  return [ofA[0]?.record ?? '', ofB[0]?.record ?? ''] as const;
};

test('shows the people of its own source in each document, also after a restart', async () => {
  const [recordA, recordB] = await importBoth();
  for (const restart of [false, true]) {
    if (restart) {
      await server.close();
      await server.restart();
    }
    expect(await readPeople(recordA)).toEqual(['Document of Alpha', 'Alpha', 'Dr Alpha']);
    expect(await readPeople(recordB)).toEqual(['Document of Beta', 'Beta', 'Dr Beta']);
    expect([await readSubjectName(recordA), await readSubjectName(recordB)]).toEqual(['Alpha', 'Beta']);
    expect(await readReferenceNames(recordA, 'Practitioner/d')).toMatchObject({ name: 'Dr Alpha' });
    expect(await readReferenceNames(recordB, 'Practitioner/d')).toMatchObject({ name: 'Dr Beta' });
    expect([await resolvePatient(recordA), await resolvePatient(recordB)]).toEqual(['Alpha', 'Beta']);
  }
});

test('names nobody for an id that several sources use', async () => {
  await importBoth();
  expect(await readReferenceNames(undefined, 'Patient/p1')).toEqual(['Patient/p1']);
  expect(await readSubjectName('p1')).toBeUndefined();
});

test('keeps the people of a document whose entries have no fullUrl', async () => {
  const withoutUrls = ({ entry, ...bundle }: ReturnType<typeof createDocument>) => ({
    ...bundle,
    entry: entry.map(({ resource }) => ({ resource })),
  });
  const [[recordA], [recordB]] = [
    await sendImport(withoutUrls(createDocument('http://a.example/fhir', 'Alpha'))),
    await sendImport(withoutUrls(createDocument('http://b.example/fhir', 'Beta'))),
  ];
  expect(await readPeople(recordA?.record ?? '')).toEqual(['Document of Alpha', 'Alpha', 'Dr Alpha']);
  expect(await readPeople(recordB?.record ?? '')).toEqual(['Document of Beta', 'Beta', 'Dr Beta']);
});

test('marks a resource that another import brought, and omits it if several did', async () => {
  const [composition] = createDocument('http://c.example/fhir', 'Gamma').entry;
  const [record] = await sendImport({ resourceType: 'Bundle', type: 'collection', entry: [composition] });
  const name = record?.record ?? '';
  await sendImport(createDocument('http://a.example/fhir', 'Alpha'));
  expect(await readReferenceNames(name, 'Patient/p1')).toMatchObject({ name: 'Alpha', otherImport: true });
  const { json } = await server.send('GET', `/fhir-r4/v1/${name}/$document`);
  expect(json.entry.at(-1).resource.issue).toMatchObject([
    { details: { text: 'Patient/p1 came with another import than this record.' } },
    { details: { text: 'Practitioner/d came with another import than this record.' } },
  ]);
  await sendImport(createDocument('http://b.example/fhir', 'Beta'));
  expect(await readReferenceNames(name, 'Patient/p1')).toEqual(['Patient/p1']);
  expect(await readSubjectName(name)).toBeUndefined();
  expect((await readPeople(name)).slice(0, -1)).toEqual(['Document of Gamma']);
});

test('erases the person of one source only', async () => {
  const documentOf = (base: string, name: string) => {
    const { entry, ...bundle } = createDocument(base, name);
    const condition = {
      resourceType: 'Condition',
      id: 'k1',
      code: { text: name },
      subject: { reference: 'Patient/p1' },
    };
    return { ...bundle, entry: [...entry, { fullUrl: `${base}/Condition/k1`, resource: condition }] };
  };
  const baseA = 'http://a.example/fhir';
  const documentA = documentOf(baseA, 'Alpha');
  const documentB = documentOf('http://b.example/fhir', 'Beta');
  await sendImport(documentA);
  const [recordB] = await sendImport(documentB);
  const erase = (source?: string) => {
    const body = { type: 'Patient', id: 'p1', source, reason: 'Asked for.' };
    return server.send('POST', '/app/erasures', JSON.stringify(body));
  };
  expect((await erase()).status).toBe(412);
  expect(await erase(baseA)).toMatchObject({ status: 201, json: { id: 'p1', source: baseA } });
  for (const restart of [false, true]) {
    if (restart) {
      await server.close();
      await server.restart();
    }
    const { json } = await server.send('GET', '/app/companions');
    expect(json.types).toEqual([
      { type: 'Condition', count: 1 },
      { type: 'Patient', count: 1 },
      { type: 'Practitioner', count: 2 },
    ]);
    // The Condition has no name.
    const names = ['Document of Beta', 'Beta', 'Dr Beta', undefined];
    expect(await readPeople(recordB?.record ?? '')).toEqual(names);
    const results = async (document: object) => (await sendImport(document)).map(({ result }) => result);
    expect((await results(documentA)).slice(1)).toEqual(['refused', 'unchanged', 'refused']);
    expect((await results(documentB)).slice(1)).toEqual(['unchanged', 'unchanged', 'unchanged']);
  }
  expect((await erase()).status).toBe(201);
  expect((await server.send('GET', '/app/companions')).json.types).toEqual([
    { type: 'Practitioner', count: 2 },
  ]);
});

test('keeps the people apart in an export with addresses and its import elsewhere', async () => {
  await importBoth();
  const withoutUrls = createDocument('http://c.example/fhir', 'Gamma').entry.map(({ resource }) => ({
    resource,
  }));
  await sendImport({ resourceType: 'Bundle', type: 'collection', entry: withoutUrls });
  const exports = ['/app/companions/export', '/app/export'].map((path) =>
    server.send('GET', `${path}?fullUrl=true`),
  );
  const lines = (await Promise.all(exports)).map(({ text }) => text).join('');
  const restored = await startTestServer();
  try {
    const headers = { 'Content-Type': 'application/ndjson' };
    const { text } = await restored.send('POST', '/app/import?keepIds=true', lines, headers);
    expect(text.match(/"result":"(kept|stored)"/g)).toHaveLength(9);
    const { json } = await restored.send('GET', '/fhir-r4/v1/Composition');
    const records = json.entry as readonly { resource: { id: string; title: string } }[];
    expect(records).toHaveLength(3);
    for (const { resource } of records) {
      const document = await restored.send('GET', `/fhir-r4/v1/Composition/${resource.id}/$document`);
      const name = resource.title.replace('Document of ', '');
      expect(document.json.entry.slice(1)).toMatchObject([
        { resource: { name: [{ text: name }] } },
        { resource: { name: [{ text: `Dr ${name}` }] } },
      ]);
    }
    const again = await restored.send('POST', '/app/import?keepIds=true', lines, headers);
    expect(again.text.match(/"result":"unchanged"/g)).toHaveLength(9);
  } finally {
    await restored.remove();
  }
});

test('joins the requests of one import', async () => {
  const batches = ['0d1e2f3a-0000-4000-8000-00000000000a', '0d1e2f3a-0000-4000-8000-00000000000b'];
  const documents = ['Alpha', 'Beta'].map((name) => createDocument('http://x.example/fhir', name));
  const records: string[] = [];
  for (const part of [1, 0, 2])
    for (const [index, { entry }] of documents.entries()) {
      const bundle = {
        resourceType: 'Bundle',
        type: 'collection',
        entry: [{ resource: entry[part]?.resource }],
      };
      const [line] = await sendImport(bundle, `?batch=${batches[index]}`);
      if (part === 0) records.push(line?.record ?? '');
    }
  expect(await readPeople(records[0] ?? '')).toEqual(['Document of Alpha', 'Alpha', 'Dr Alpha']);
  expect(await readPeople(records[1] ?? '')).toEqual(['Document of Beta', 'Beta', 'Dr Beta']);
});
