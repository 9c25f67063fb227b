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
const issueOf = ({ status, json }: Answer) => [status, json.issue[0].code, json.issue[0].location?.[0]];

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

const about = (id: string) => ({ subject: { reference: `Patient/${id}` } });

describe('row 57: result size', () => {
  beforeAll(async () => {
    for (let index = 0; index < 3; index += 1) await store('CarePlan', about('r57'));
  });

  test.each(['_count=0', '_summary=count'])('row 57: %s answers the total alone', async (query) => {
    const { json } = await get(`CarePlan?subject=r57&${query}`);
    expect(json).toMatchObject({ type: 'searchset', total: 3, entry: [] });
    expect(json.link).toEqual([
      { relation: 'self', url: `${server.origin}${root}/CarePlan?subject=r57&${query}` },
    ]);
  });

  test('row 57: without _count all are answered, larger pages than any are shown clamped', async () => {
    expect((await get('CarePlan?subject=r57')).json.entry).toHaveLength(3);
    const { json } = await get('CarePlan?subject=r57&_count=4000');
    expect(json.link[0].url).toContain('_count=1000');
  });

  test.each(['-1', '1.5', 'NaN', '0x10', '1e3'])('row 57: _count=%s is 400 value', async (count) => {
    expect(issueOf(await get(`CarePlan?subject=r57&_count=${count}`))).toEqual([400, 'value', 'http._count']);
  });
});

test.each([
  '',
  'encounter=x',
  'status=active&_count=5',
  'identifier=x',
  'subject=x',
  '_id=x',
  'subject=x&encounter=y',
])('row 58: CarePlan?%s is answered', async (query) => {
  expect((await get(`CarePlan?${query}`)).status).toBe(200);
});

describe('row 58: with --require-subject', () => {
  let strict: TestServer;
  beforeAll(async () => {
    strict = await startTestServer({ requireSubject: true });
  });
  afterAll(() => strict.remove());
  const ask = (path: string) => strict.send('GET', `${root}/${path}`);

  test.each(['', 'encounter=x', 'status=active&_count=5'])('CarePlan?%s is 400 required', async (query) => {
    const answer = await ask(`CarePlan?${query}`);
    expect(issueOf(answer)).toEqual([400, 'required', 'http.subject']);
    expect(answer.text).toContain('send subject, patient, or _id.');
  });

  test.each(['subject=x', 'patient=x', '_id=x', 'subject=x&encounter=y'])(
    'CarePlan?%s is enough',
    async (query) => {
      expect((await ask(`CarePlan?${query}`)).status).toBe(200);
    },
  );

  test('Compositions are answered all the same, and /metadata says of which type it is so', async () => {
    expect((await ask('Composition')).status).toBe(200);
    const { json } = await ask('metadata');
    const needed = json.rest[0].resource.map(({ type, extension = [] }: Json) => [
      type,
      extension.map((one: Json) => [one.url.split('/').pop(), one.extension[0].valueString]),
    ]);
    const combination = 'capabilitystatement-search-parameter-combination';
    expect(needed).toEqual([
      ['CarePlan', ['subject', 'patient', '_id'].map((name) => [combination, name])],
      ['Composition', []],
    ]);
  });
});

test('row 82: _total=none leaves the total out, accurate and estimate tell it', async () => {
  for (let index = 0; index < 3; index += 1) await store('CarePlan', about('r82'));
  const of = async (total: string) => (await get(`CarePlan?subject=r82&_count=2&_total=${total}`)).json;
  expect(await of('none')).not.toHaveProperty('total');
  expect((await of('none')).link.map(({ relation }: Json) => relation)).toContain('next');
  expect((await of('accurate')).total).toBe(3);
  expect((await of('estimate')).total).toBe(3);
});
