/** Links between the records of one import. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

const requiredMembers = { status: 'active', intent: 'plan', subject: { reference: 'Patient/p1' } };
const planOf = (id: string | undefined, members: object = {}) => ({
  resourceType: 'CarePlan',
  ...(id !== undefined && { id }),
  ...requiredMembers,
  ...members,
});
const bundleOf = (...entry: object[]) =>
  JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry });

interface ImportReport {
  readonly records: readonly string[];
  readonly links: unknown;
}

async function sendImport(body: string, query = '', type = 'application/json'): Promise<ImportReport> {
  const { text } = await server.send('POST', `/app/import${query}`, body, { 'Content-Type': type });
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { record?: string; links?: number; reason?: string });
  return {
    records: lines.slice(0, -1).map(({ record, reason }) => record ?? reason ?? ''),
    links: lines.at(-1)?.links,
  };
}

const read = async (record: string) => (await server.send('GET', `/fhir-r4/v1/${record}`)).text;
const referencesIn = async (record: string) =>
  Array.from((await read(record)).matchAll(/"reference":"([^"]*)"/g), ([, reference]) => reference);

test('rewrites urn references of a Bundle in both directions', async () => {
  const urn = (number: number) => `urn:uuid:0000000${number}-0000-4000-8000-00000000000${number}`;
  const body = bundleOf(
    { fullUrl: urn(1), resource: planOf(undefined, { replaces: [{ reference: urn(2) }] }) },
    {
      fullUrl: urn(2),
      resource: planOf(undefined, { partOf: [{ reference: urn(1).toUpperCase() }, { reference: urn(3) }] }),
    },
  );
  const { records, links } = await sendImport(body);
  const [first = '', second = ''] = records;
  expect(links).toBe(2);
  expect(await referencesIn(first)).toEqual(['Patient/p1', second]);
  expect(await referencesIn(second)).toEqual(['Patient/p1', first, urn(3)]);
  const { json } = await server.send('GET', `/fhir-r4/v1/CarePlan?part-of=${first.split('/')[1]}`);
  expect(json.total).toBe(1);
});

test('rewrites relative and absolute references and keeps all else exactly', async () => {
  const base = 'http://a.example/fhir';
  const child = `{"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"Patient/p1"},"id":"chi",
    "extension":[{"url":"urn:x","valueDecimal":1.50},{"url":"urn:y","valueString":"\\u0041 reference"}],
    "basedOn":[{"reference":"CarePlan/par/_history/3"},{"reference":"${base}/CarePlan/par"},{"reference":"CarePlan/other"},
    {"reference":"http://b.example/fhir/CarePlan/par"}]}`;
  const body = `{"resourceType":"Bundle","type":"collection","entry":[{"fullUrl":"${base}/CarePlan/chi","resource":${child}},
    {"fullUrl":"${base}/CarePlan/par","resource":${JSON.stringify(planOf('par'))}}]}`;
  const { records, links } = await sendImport(body);
  const [childRecord = '', parent = ''] = records;
  expect(links).toBe(2);
  expect(await referencesIn(childRecord)).toEqual([
    'Patient/p1',
    `${parent}/_history/3`,
    parent,
    'CarePlan/other',
    'http://b.example/fhir/CarePlan/par',
  ]);
  expect(await read(childRecord)).toContain(
    '"extension":[{"url":"urn:x","valueDecimal":1.50},{"url":"urn:y","valueString":"\\u0041 reference"}]',
  );
});

test('keeps links between lines, also of an input that does not fit into memory', async () => {
  const filler = { note: [{ text: 'x'.repeat(200_000) }] };
  const lines = Array.from({ length: 90 }, (_, index) =>
    JSON.stringify(
      planOf(`p${index}`, { ...filler, partOf: [{ reference: `CarePlan/p${(index + 1) % 90}` }] }),
    ),
  );
  const { records, links } = await sendImport(lines.join('\n'), '', 'application/ndjson');
  expect([records.length, new Set(records).size, links]).toEqual([90, 90, 90]);
  for (const index of [0, 44, 89])
    expect((await referencesIn(records[index] ?? ''))[1]).toBe(records[(index + 1) % 90]);
});

test('links no reference that several records could mean', async () => {
  const child = planOf('c', { partOf: [{ reference: 'CarePlan/p' }] });
  const lines = [planOf('p', { title: '1' }), planOf('p', { title: '2' }), child].map((plan) =>
    JSON.stringify(plan),
  );
  const { records, links } = await sendImport(lines.join('\n'), '', 'application/ndjson');
  expect([new Set(records).size, links]).toEqual([3, undefined]);
  expect(await referencesIn(records[2] ?? '')).toEqual(['Patient/p1', 'CarePlan/p']);
});

test('takes a kept id from the resource, its fullUrl or its request', async () => {
  const urn = 'urn:uuid:0d1e2f3a-0000-4000-8000-00000000000a';
  const body = bundleOf(
    { fullUrl: 'http://a.example/fhir/CarePlan/other', resource: planOf('own') },
    { fullUrl: 'http://a.example/fhir/CarePlan/of-url/_history/2', resource: planOf(undefined) },
    { fullUrl: urn, resource: planOf(undefined) },
    { request: { method: 'PUT', url: 'CarePlan/of-request' }, resource: planOf(undefined) },
    {
      fullUrl: 'urn:uuid:0d1e2f3a-0000-4000-8000-00000000000b',
      resource: planOf('named', { partOf: [{ reference: urn }] }),
    },
    {
      fullUrl: 'http://a.example/fhir/CarePlan/last',
      resource: planOf('last', {
        partOf: [
          { reference: 'urn:uuid:0d1e2f3a-0000-4000-8000-00000000000b' },
          { reference: 'CarePlan/of-url' },
        ],
      }),
    },
  );
  const { records, links } = await sendImport(body, '?keepIds=true');
  expect(records).toEqual([
    'CarePlan/own',
    'CarePlan/of-url',
    'CarePlan/0d1e2f3a-0000-4000-8000-00000000000a',
    'CarePlan/of-request',
    'CarePlan/named',
    'CarePlan/last',
  ]);
  // The id of the other reference is kept.
  expect(links).toBe(1);
  expect(await referencesIn('CarePlan/named')).toEqual(['Patient/p1', urn]);
  expect(await referencesIn('CarePlan/last')).toEqual(['Patient/p1', 'CarePlan/named', 'CarePlan/of-url']);
});

test('stores records that share an id in several requests of one import', async () => {
  const batch = '?batch=0d1e2f3a-0000-4000-8000-00000000000a';
  const first = await sendImport(JSON.stringify(planOf('same', { title: 'First' })), batch);
  const second = await sendImport(JSON.stringify(planOf('same', { title: 'Second' })), batch);
  const records = [...first.records, ...second.records];
  expect(new Set(records).size).toBe(2);
  expect(await Promise.all(records.map(read))).toEqual([
    expect.stringContaining('"First"'),
    expect.stringContaining('"Second"'),
  ]);
});
