/** Row 93 of the API's decisions: `$document`. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';
import { mint, sendAs } from '../testing/tokens.ts';

const fhir = '/fhir-r4/v1';
const parameters = { 'Content-Type': 'application/fhir+json' };

let server: TestServer;
let plan: string;
let document: string;

beforeAll(async () => {
  server = await startTestServer();
  plan = await stored(
    'CarePlan',
    carePlan('Patient/a', ',"extension":[{"url":"urn:x","valueDecimal":1.50}]'),
  );
  const urn = await stored('CarePlan', carePlan('Patient/b'));
  const entry = [
    { reference: `CarePlan/${plan}` },
    { reference: `${server.origin}${fhir}/CarePlan/${plan}/_history/1` },
    { reference: `urn:uuid:${urn}` },
    { reference: 'https://elsewhere.example/CarePlan/1' },
    { reference: '#held' },
  ];
  const record = {
    ...{ resourceType: 'Composition', status: 'final', type: { text: 'Note' }, title: 'Note' },
    contained: [{ resourceType: 'Practitioner', id: 'held' }],
    ...{ subject: { reference: 'Patient/a' }, date: '2026-01-02', author: [{ reference: '#held' }] },
    section: [{ title: 'Plans', entry }],
  };
  document = await stored('Composition', JSON.stringify(record));
});
afterAll(() => server.remove());

async function stored(type: string, text: string): Promise<string> {
  const answer = await server.send('POST', `${fhir}/${type}`, text, { 'Content-Type': 'application/json' });
  expect(answer.status).toBe(201);
  return answer.json.id as string;
}

const ask = (query = '') => server.send('GET', `${fhir}/Composition/${document}/$document${query}`);

test('row 93: the document is the Composition, then what it refers to, then what is not held', async () => {
  const { status, json, text } = await ask();
  expect(status).toBe(200);
  const { type, identifier, timestamp, entry } = json;
  expect({ type, system: identifier.system }).toEqual({ type: 'document', system: 'urn:ietf:rfc:3986' });
  expect(identifier.value).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
  expect(Date.parse(timestamp)).toBeGreaterThan(Date.parse('2026-01-01'));
  const [head, first, second, outcome, ...more] = entry;
  expect(more).toEqual([]);
  const at = `${server.origin}${fhir}`;
  expect(head.fullUrl).toBe(`${at}/Composition/${document}`);
  expect(head.resource.resourceType).toBe('Composition');
  expect(first.fullUrl).toBe(`${at}/CarePlan/${plan}`);
  // Under the name that the Composition gives it, so that it is found in the Bundle.
  expect(second.fullUrl).toBe(`urn:uuid:${second.resource.id}`);
  expect(text).toContain('"valueDecimal":1.50}');
  expect(outcome.resource.issue).toEqual([
    {
      ...{ severity: 'information', code: 'not-found', details: { text: 'Patient/a is not held here.' } },
      expression: ['Composition.subject'],
    },
    {
      ...{ severity: 'information', code: 'not-found' },
      details: { text: 'https://elsewhere.example/CarePlan/1 is not held here.' },
      expression: ['Composition.section[0].entry[3]'],
    },
  ]);
});

test('row 93: POST answers the same without a body, and with Parameters that ask for nothing', async () => {
  const path = `${fhir}/Composition/${document}/$document`;
  const bodies = [undefined, '{"resourceType":"Parameters"}', '{"resourceType":"Parameters","parameter":[]}'];
  for (const body of bodies) {
    const answer = await server.send('POST', path, body, body === undefined ? undefined : parameters);
    expect([body, answer.status, answer.json.entry?.length]).toEqual([body, 200, 4]);
  }
});

test.each([
  ['GET', '?persist=true', undefined, 'not-supported', 'leave persist out'],
  ['GET', '?graph=true', undefined, 'not-supported', 'leave graph out'],
  ['GET', '?_elements=title', undefined, 'not-supported', 'answered whole'],
  ['GET', '?other=1', undefined, 'not-supported', 'not known here'],
  ['POST', '', '{"resourceType":"Parameters","parameter":[{"name":"persist"}]}', 'not-supported', 'persist'],
  ['POST', '', '{"resourceType":"Parameters","parameter":[{"name":"x"}]}', 'not-supported', 'not known'],
  ['POST', '', '{"resourceType":"Composition"}', 'value', 'Send Parameters'],
  ['POST', '', '{"resourceType":', 'structure', ''],
])('row 93: %s %s %s is refused', async (method, query, body, code, words) => {
  const path = `${fhir}/Composition/${document}/$document${query}`;
  const { status, json } = await server.send(method, path, body, body === undefined ? undefined : parameters);
  expect([status, json.issue[0].code]).toEqual([400, code]);
  expect(json.issue[0].details.text).toContain(words);
});

test('row 93: it is for documents, and for those that are there', async () => {
  const other = await server.send('GET', `${fhir}/CarePlan/${plan}/$document`);
  expect([other.status, other.json.issue[0].code]).toEqual([404, 'not-supported']);
  expect(other.json.issue[0].details.text).toContain('it is for a Composition');
  expect((await server.send('GET', `${fhir}/Composition/nobody/$document`)).status).toBe(404);
});

test('row 93: what a token may not read is named, and not answered', async () => {
  const { token } = await mint(server, ['system/Composition.r']);
  const path = `${fhir}/Composition/${document}/$document`;
  const { status, json, text } = await sendAs(server, `Bearer ${token}`, 'GET', path);
  expect([status, json.entry.length]).toEqual([200, 2]);
  expect(json.entry[1].resource.issue[1].details.text).toBe(
    `CarePlan/${plan} may not be read with this token.`,
  );
  expect(text).not.toContain('valueDecimal');
});

test('row 93: for reading with _pretty, and listed by /metadata for its type alone', async () => {
  const { text } = await ask('?_pretty=true');
  expect(text.split('\n').length).toBeGreaterThan(20);
  expect(JSON.parse(text).entry).toHaveLength(4);
  const { json } = await server.send('GET', `${fhir}/metadata`);
  const named = json.rest[0].resource.map((one: { type: string; operation: { name: string }[] }) => [
    one.type,
    one.operation.map(({ name }) => name),
  ]);
  expect(named).toEqual([
    ['CarePlan', ['validate']],
    ['Composition', ['validate', 'document']],
  ]);
});

test('row 93: companions stand in it under the names that the Composition gives them, in the order of its elements', async () => {
  const urn = 'urn:uuid:0d1e2f3a-0000-4000-8000-0000000000aa';
  const patient = '{"resourceType":"Patient","id":"held","x":[1.10,1e3],"name":[{"family":"Example"}]}';
  const author = '{"resourceType":"Practitioner","id":"w"}';
  const encounter = '{"resourceType":"Encounter","id":"e","status":"finished"}';
  const goal = '{"resourceType":"Goal","id":"g"}';
  // The section is named first, the author under an address of another server.
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
  const id = await stored('Composition', head);
  const path = `${fhir}/Composition/${id}/$document`;
  const { json, text } = await server.send('GET', path);
  const at = `${server.origin}${fhir}`;
  expect(json.entry.slice(1, 5).map(({ fullUrl }: { fullUrl: string }) => fullUrl)).toEqual([
    urn,
    `${at}/Encounter/e`,
    'https://clinic.example/fhir/Practitioner/w',
    `${at}/Goal/g`,
  ]);
  expect(text).toContain(`"resource":${patient}`);
  expect(json.entry[5].resource.issue.map((issue: { expression: string[] }) => issue.expression)).toEqual([
    ['Composition.section[0].entry[1]'],
  ]);
  expect(json.entry).toHaveLength(6);

  // A token for the type alone reads none of them.
  const { token } = await mint(server, ['system/Composition.r', 'system/CarePlan.r']);
  const few = await sendAs(server, `Bearer ${token}`, 'GET', path);
  expect(few.json.entry).toHaveLength(2);
  expect(few.text).not.toContain('Example');
  const { token: wide } = await mint(server, ['system/*.r']);
  expect((await sendAs(server, `Bearer ${wide}`, 'GET', path)).json.entry).toHaveLength(6);
});
