/** `$document`: row 93 of docs/api-rows.md. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';
import { messageCodeOf } from '../testing/message-code.ts';
import { createClientToken, sendAs } from '../testing/tokens.ts';

const fhir = '/fhir-r4/v1';
const parameters = { 'Content-Type': 'application/fhir+json' };

let server: TestServer;
let plan: string;
let document: string;

beforeAll(async () => {
  server = await startTestServer();
  plan = await storeRecord(
    'CarePlan',
    carePlan('Patient/a', ',"extension":[{"url":"urn:x","valueDecimal":1.50}]'),
  );
  const urn = await storeRecord('CarePlan', carePlan('Patient/b'));
  const entry = [
    { reference: `CarePlan/${plan}` },
    { reference: `${server.origin}${fhir}/CarePlan/${plan}/_history/1` },
    { reference: `urn:uuid:${urn}` },
    { reference: 'https://elsewhere.example/CarePlan/1' },
    { reference: '#held' },
  ];
  const record = {
    resourceType: 'Composition',
    status: 'final',
    type: { text: 'Note' },
    title: 'Note',
    contained: [{ resourceType: 'Practitioner', id: 'held' }],
    subject: { reference: 'Patient/a' },
    date: '2026-01-02',
    author: [{ reference: '#held' }],
    section: [{ title: 'Plans', entry }],
  };
  document = await storeRecord('Composition', JSON.stringify(record));
});
afterAll(() => server.remove());

async function storeRecord(type: string, text: string): Promise<string> {
  const answer = await server.send('POST', `${fhir}/${type}`, text, { 'Content-Type': 'application/json' });
  expect(answer.status).toBe(201);
  return answer.json.id as string;
}

const requestDocument = (query = '') =>
  server.send('GET', `${fhir}/Composition/${document}/$document${query}`);

test('contains the Composition, then its references, then an outcome of missing ones', async () => {
  const { status, json, text } = await requestDocument();
  expect(status).toBe(200);
  const { type, identifier, timestamp, entry } = json;
  expect({ type, system: identifier.system }).toEqual({ type: 'document', system: 'urn:ietf:rfc:3986' });
  expect(identifier.value).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
  expect(Date.parse(timestamp)).toBeGreaterThan(Date.parse('2026-01-01'));
  const [head, firstEntry, secondEntry, outcome, ...furtherEntries] = entry;
  expect(furtherEntries).toEqual([]);
  const base = `${server.origin}${fhir}`;
  expect(head.fullUrl).toBe(`${base}/Composition/${document}`);
  expect(head.resource.resourceType).toBe('Composition');
  expect(firstEntry.fullUrl).toBe(`${base}/CarePlan/${plan}`);
  // The Composition's own reference is the fullUrl, so that the reference resolves in the Bundle.
  expect(secondEntry.fullUrl).toBe(`urn:uuid:${secondEntry.resource.id}`);
  expect(text).toContain('"valueDecimal":1.50}');
  expect(outcome.resource.issue).toMatchObject([
    {
      severity: 'information',
      code: 'not-found',
      details: { text: 'Patient/a is not stored here.' },
      expression: ['Composition.subject'],
    },
    {
      severity: 'information',
      code: 'not-found',
      details: { text: 'https://elsewhere.example/CarePlan/1 is not stored here.' },
      expression: ['Composition.section[0].entry[3]'],
    },
  ]);
  expect(outcome.resource.issue.map(messageCodeOf)).toEqual(['document.unknown', 'document.unknown']);
});

test('accepts POST without a body and with empty Parameters', async () => {
  const path = `${fhir}/Composition/${document}/$document`;
  const bodies = [undefined, '{"resourceType":"Parameters"}', '{"resourceType":"Parameters","parameter":[]}'];
  for (const body of bodies) {
    const answer = await server.send('POST', path, body, body === undefined ? undefined : parameters);
    expect([body, answer.status, answer.json.entry?.length]).toEqual([body, 200, 4]);
  }
});

test.each([
  ['GET', '?persist=true', undefined, 'not-supported', 'document.persist'],
  ['GET', '?graph=true', undefined, 'not-supported', 'document.graph'],
  ['GET', '?_elements=title', undefined, 'not-supported', 'document.elements'],
  ['GET', '?other=1', undefined, 'not-supported', 'parameter.unknown'],
  [
    'POST',
    '',
    '{"resourceType":"Parameters","parameter":[{"name":"persist"}]}',
    'not-supported',
    'document.persist',
  ],
  [
    'POST',
    '',
    '{"resourceType":"Parameters","parameter":[{"name":"x"}]}',
    'not-supported',
    'document.unknownParameter',
  ],
  ['POST', '', '{"resourceType":"Composition"}', 'value', 'document.invalidBody'],
])('rejects %s %s %s', async (method, query, body, code, messageCode) => {
  const path = `${fhir}/Composition/${document}/$document${query}`;
  const { status, json } = await server.send(method, path, body, body === undefined ? undefined : parameters);
  expect([status, json.issue[0].code]).toEqual([400, code]);
  expect(messageCodeOf(json.issue[0])).toBe(messageCode);
});

test('rejects a body that is not JSON', async () => {
  const path = `${fhir}/Composition/${document}/$document`;
  const { status, json } = await server.send('POST', path, '{"resourceType":', parameters);
  expect([status, json.issue[0].code]).toEqual([400, 'structure']);
});

test('supports existing documents only', async () => {
  const planResponse = await server.send('GET', `${fhir}/CarePlan/${plan}/$document`);
  expect([planResponse.status, planResponse.json.issue[0].code]).toEqual([404, 'not-supported']);
  expect(planResponse.json.issue[0].details.text).toContain('only for Composition');
  expect((await server.send('GET', `${fhir}/Composition/nobody/$document`)).status).toBe(404);
});

test('lists resources outside the scope without returning them', async () => {
  const { token } = await createClientToken(server, ['system/Composition.r']);
  const path = `${fhir}/Composition/${document}/$document`;
  const { status, json, text } = await sendAs(server, `Bearer ${token}`, 'GET', path);
  expect([status, json.entry.length]).toEqual([200, 2]);
  const issue = json.entry[1].resource.issue[1];
  expect(messageCodeOf(issue)).toBe('document.refused');
  expect(issue.details.text).toContain(`CarePlan/${plan}`);
  expect(text).not.toContain('valueDecimal');
});

test('supports _pretty and appears in /metadata for its type only', async () => {
  const { text } = await requestDocument('?_pretty=true');
  expect(text.split('\n').length).toBeGreaterThan(20);
  expect(JSON.parse(text).entry).toHaveLength(4);
  const { json } = await server.send('GET', `${fhir}/metadata`);
  const operations = json.rest[0].resource.map(
    (resource: { type: string; operation: { name: string }[] }) => [
      resource.type,
      resource.operation.map(({ name }) => name),
    ],
  );
  expect(operations).toEqual([
    ['CarePlan', ['validate']],
    ['Composition', ['validate', 'document']],
  ]);
});

test('contains supporting resources by the Composition’s references in element order', async () => {
  const urn = 'urn:uuid:0d1e2f3a-0000-4000-8000-0000000000aa';
  const patient = '{"resourceType":"Patient","id":"held","x":[1.10,1e3],"name":[{"family":"Example"}]}';
  const author = '{"resourceType":"Practitioner","id":"w"}';
  const encounter = '{"resourceType":"Encounter","id":"e","status":"finished"}';
  const goal = '{"resourceType":"Goal","id":"g"}';
  // The section precedes the author. The author has the address of another server.
  const head = `{"resourceType":"Composition","section":[{"entry":[{"reference":"Goal/g"},{"reference":"Goal/nobody"}]}],"status":"final","type":{"text":"Note"},"author":[{"reference":"https://clinic.example/fhir/Practitioner/w/_history/2"}],"encounter":{"reference":"Encounter/e"},"subject":{"reference":"${urn}"},"date":"2026-01-02","title":"Note"}`;
  const entries = [
    ['https://clinic.example/fhir/Goal/g', goal],
    [urn, patient],
    ['https://clinic.example/fhir/Practitioner/w', author],
    ['https://clinic.example/fhir/Encounter/e', encounter],
  ].map(([fullUrl, resource]) => `{"fullUrl":"${fullUrl}","resource":${resource}}`);
  const bundle = `{"resourceType":"Bundle","type":"document","entry":[${entries.join(',')}]}`;
  const import_ = await server.send('POST', '/app/import', bundle, { 'Content-Type': 'application/json' });
  expect(import_.text).toContain('"kept":4');
  const id = await storeRecord('Composition', head);
  const path = `${fhir}/Composition/${id}/$document`;
  const { json, text } = await server.send('GET', path);
  const base = `${server.origin}${fhir}`;
  expect(json.entry.slice(1, 5).map(({ fullUrl }: { fullUrl: string }) => fullUrl)).toEqual([
    urn,
    `${base}/Encounter/e`,
    'https://clinic.example/fhir/Practitioner/w',
    `${base}/Goal/g`,
  ]);
  expect(text).toContain(`"resource":${patient}`);
  expect(json.entry[5].resource.issue.map((issue: { expression: string[] }) => issue.expression)).toEqual([
    ['Composition.section[0].entry[1]'],
  ]);
  expect(json.entry).toHaveLength(6);

  // A token for this type only reads none of them.
  const { token } = await createClientToken(server, ['system/Composition.r', 'system/CarePlan.r']);
  const few = await sendAs(server, `Bearer ${token}`, 'GET', path);
  expect(few.json.entry).toHaveLength(2);
  expect(few.text).not.toContain('Example');
  const { token: wide } = await createClientToken(server, ['system/*.r']);
  expect((await sendAs(server, `Bearer ${wide}`, 'GET', path)).json.entry).toHaveLength(6);
});
