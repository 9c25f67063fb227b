import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type Answer, type Json, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const root = '/fhir-r4/v1';
const get = (query: string, headers: Record<string, string> = {}): Promise<Answer> =>
  server.send('GET', `${root}/${query}`, undefined, headers);
const summarizeIssue = ({ status, json }: Answer) => [
  status,
  json.issue[0].code,
  json.issue[0].location?.[0],
];

async function store(type: 'CarePlan' | 'Composition', members: object): Promise<string> {
  const base =
    type === 'CarePlan'
      ? { status: 'active', intent: 'plan' }
      : {
          status: 'final',
          type: { text: 'Note' },
          date: '2026-01-02',
          author: [{ display: 'A' }],
          title: 'Note',
        };
  const body = JSON.stringify({ resourceType: type, ...base, ...members });
  const answer = await server.send('POST', `${root}/${type}`, body);
  expect(answer.status).toBe(201);
  return String(answer.json.id);
}

const withSubject = (id: string) => ({ subject: { reference: `Patient/${id}` } });

// Row 57 of docs/api-rows.md.
describe('result size', () => {
  beforeAll(async () => {
    for (let index = 0; index < 3; index += 1) await store('CarePlan', withSubject('r57'));
  });

  // Row 57 of docs/api-rows.md.
  test.each(['_count=0', '_summary=count'])('returns only the total for %s', async (query) => {
    const { json } = await get(`CarePlan?subject=r57&${query}`);
    expect(json).toMatchObject({ type: 'searchset', total: 3, entry: [] });
    expect(json.link).toEqual([
      { relation: 'self', url: `${server.origin}${root}/CarePlan?subject=r57&${query}` },
    ]);
  });

  // Row 57 of docs/api-rows.md.
  test('returns all records without _count and clamps a larger page in self', async () => {
    expect((await get('CarePlan?subject=r57')).json.entry).toHaveLength(3);
    const { json } = await get('CarePlan?subject=r57&_count=4000');
    expect(json.link[0].url).toContain('_count=1000');
  });

  // Row 57 of docs/api-rows.md.
  test.each(['-1', '1.5', 'NaN', '0x10', '1e3'])('rejects _count=%s with 400', async (count) => {
    expect(summarizeIssue(await get(`CarePlan?subject=r57&_count=${count}`))).toEqual([
      400,
      'value',
      'http._count',
    ]);
  });
});

// Row 57 of docs/api-rows.md.
test.each([
  '',
  'encounter=x',
  'status=active&_count=5',
  'identifier=x',
  'subject=x',
  '_id=x',
  'subject=x&encounter=y',
])('accepts the page size %s', async (query) => {
  expect((await get(`CarePlan?${query}`)).status).toBe(200);
});

// Row 58 of docs/api-rows.md.
describe('with --require-subject', () => {
  let strict: TestServer;
  beforeAll(async () => {
    strict = await startTestServer({ requireSubject: true });
  });
  afterAll(() => strict.remove());
  const ask = (path: string) => strict.send('GET', `${root}/${path}`);

  test.each(['', 'encounter=x', 'status=active&_count=5'])('rejects CarePlan?%s with 400', async (query) => {
    const answer = await ask(`CarePlan?${query}`);
    expect(summarizeIssue(answer)).toEqual([400, 'required', 'http.subject']);
    expect(answer.text).toContain('send subject, patient, or _id.');
  });

  test.each(['subject=x', 'patient=x', '_id=x', 'subject=x&encounter=y'])(
    'accepts CarePlan?%s',
    async (query) => {
      expect((await ask(`CarePlan?${query}`)).status).toBe(200);
    },
  );

  test('searches Compositions freely and declares the requirement in /metadata', async () => {
    expect((await ask('Composition')).status).toBe(200);
    const { json } = await ask('metadata');
    const needed = json.rest[0].resource.map(({ type, extension = [] }: Json) => [
      type,
      extension.map((item: Json) => [item.url.split('/').pop(), item.extension[0].valueString]),
    ]);
    const combination = 'capabilitystatement-search-parameter-combination';
    expect(needed).toEqual([
      ['CarePlan', ['subject', 'patient', '_id'].map((name) => [combination, name])],
      ['Composition', []],
    ]);
  });
});

// Row 82 of docs/api-rows.md.
test('omits the total for _total=none and returns it for accurate and estimate', async () => {
  for (let index = 0; index < 3; index += 1) await store('CarePlan', withSubject('r82'));
  const searchWithTotal = async (total: string) =>
    (await get(`CarePlan?subject=r82&_count=2&_total=${total}`)).json;
  expect(await searchWithTotal('none')).not.toHaveProperty('total');
  expect((await searchWithTotal('none')).link.map(({ relation }: Json) => relation)).toContain('next');
  expect((await searchWithTotal('accurate')).total).toBe(3);
  expect((await searchWithTotal('estimate')).total).toBe(3);
});
