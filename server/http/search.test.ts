import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { searchParametersOf } from '../../core/fhir/search-parameters.ts';
import {
  carePlan,
  startTestServer,
  type Answer,
  type Json,
  type TestServer,
} from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const root = '/fhir-r4/v1';
const get = (query: string, headers: Record<string, string> = {}): Promise<Answer> =>
  server.send('GET', `${root}/${query}`, undefined, headers);
const total = async (query: string): Promise<unknown> => (await get(query)).json.total;
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

describe('row 55: reference forms', () => {
  const literals = ['Patient/r55', 'Group/r55', 'urn:uuid:r55', 'http://host/fhir/Patient/r55', 'r55'];

  beforeAll(async () => {
    for (const reference of [...literals, 'Patient/r55/_history/3', '#r55']) {
      await store('CarePlan', {
        subject: { reference },
        ...(reference.startsWith('#') && { contained: [{ resourceType: 'Patient', id: 'r55' }] }),
      });
    }
    await store('CarePlan', { subject: { reference: `${server.origin}${root}/Patient/r55` } });
  });

  test.each([
    ['subject=r55', 8],
    ['patient=r55', 7],
    ['subject=Patient/r55', 4],
    ['subject=Patient/r55/_history/9', 4],
    ['subject=Group/r55', 1],
    ['subject:Group=r55', 1],
    ['subject:Patient=Group/r55', 0],
    ['patient=Group/r55', 0],
    ['subject=urn:uuid:r55', 1],
    ['subject=http://host/fhir/Patient/r55', 1],
    ['subject=http://other/fhir/Patient/r55', 0],
    ['subject=nobody,r55', 8],
    ['subject=r55&subject=Group/r55', 1],
    ['subject=r5', 0],
    ['subject=R55', 0],
    ['subject=r55&subject:missing=true', 0],
  ])('row 55: %s finds %i', async (query, expected) => {
    expect(await total(`CarePlan?${query}`)).toBe(expected);
  });

  test('row 55: the base of this server equals relative', async () => {
    expect(await total(`CarePlan?subject=${server.origin}${root}/Patient/r55`)).toBe(4);
  });
});

test.each([
  'subject=unheard-of',
  `subject=${'x'.repeat(300)}`,
  'subject=%00',
  'subject=%F0%9F%98%80',
  "subject=' OR 1=1 --",
  '_id=not a fhir id',
  `_id=${'x'.repeat(200)}`,
  'subject=a/b/c/d%3Fe%23f',
])('row 56: %s finds nothing and fails nothing', async (query) => {
  const answer = await get(`CarePlan?${query}`);
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({ resourceType: 'Bundle', type: 'searchset', total: 0, entry: [] });
});

test('row 59: Compositions without parameters are all Compositions', async () => {
  await store('Composition', about('r59'));
  const all = await get('Composition');
  expect(all.json.total).toBe(all.json.entry.length);
  expect(all.json.total).toBeGreaterThan(0);
});

describe('rows 60, 61 and 66: what is not offered', () => {
  test('row 60: an unknown parameter is 400 with the names that are known', async () => {
    const answer = await get('CarePlan?subject=x&colour=red');
    expect(issueOf(answer)).toEqual([400, 'not-supported', 'http.colour']);
    for (const { name } of searchParametersOf('CarePlan')) {
      expect(answer.json.issue[0].details.text).toContain(name);
    }
  });

  test('row 60: a lenient client has it ignored and dropped from self', async () => {
    const answer = await get('CarePlan?subject=x&colour=red', { Prefer: 'handling=lenient' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('preference-applied')).toBe('handling=lenient');
    expect(answer.json.link[0].url).toBe(`${server.origin}${root}/CarePlan?subject=x`);
  });

  test('row 54: context is no alias of encounter but the code of an event', async () => {
    await store('Composition', { ...about('r54'), encounter: { reference: 'Encounter/e54' } });
    await store('Composition', { ...about('r54'), event: [{ code: [{ coding: [{ code: 'e54' }] }] }] });
    const found = async (query: string) => (await get(`Composition?subject=r54&${query}`)).json.entry.length;
    expect([await found('encounter=e54'), await found('context=e54')]).toEqual([1, 1]);
    expect(await found('encounter=e54&context=e54')).toBe(0);
  });

  test.each(['strict', 'lenient'])('row 61: an unknown modifier is 400, also when %s', async (handling) => {
    const answer = await get('CarePlan?subject=x&status:above=active', { Prefer: `handling=${handling}` });
    expect(issueOf(answer)).toEqual([400, 'not-supported', 'http.status']);
  });

  test.each([
    '_include=CarePlan:subject',
    '_revinclude=Task:focus',
    '_has:Task:focus:status=x',
    'subject.name=x',
    'subject:Patient.name=x',
  ])('row 66: %s is 400 not-supported, and left out when lenient', async (query) => {
    const answer = await get(`CarePlan?subject=x&${query}`);
    expect(issueOf(answer).slice(0, 2)).toEqual([400, 'not-supported']);
    expect((await get(`CarePlan?subject=x&${query}`, { Prefer: 'handling=lenient' })).status).toBe(200);
  });
});

test.each(['subject=', 'subject', 'subject=%20', 'subject=a,', 'encounter=&subject=x'])(
  'row 62: %s is 400 value',
  async (query) => {
    expect(issueOf(await get(`CarePlan?${query}`)).slice(0, 2)).toEqual([400, 'value']);
  },
);

describe('row 63: order', () => {
  const ids: Record<string, string> = {};
  const named = (json: Json) =>
    json.entry.map((entry: Json) => Object.keys(ids).find((name) => ids[name] === entry.resource.id));

  beforeAll(async () => {
    ids.b = await store('Composition', { ...about('r63'), title: 'Äb', date: '2026-02', status: 'final' });
    ids.c = await store('Composition', { ...about('r63'), title: 'ac', date: '2024', status: 'amended' });
    ids.a = await store('Composition', {
      ...about('r63'),
      title: 'AA',
      date: '2025-01-01',
      status: 'preliminary',
    });
  });

  test.each([
    ['', 'acb'],
    ['&_sort=_lastUpdated', 'bca'],
    ['&_sort=-_lastUpdated', 'acb'],
    ['&_sort=date', 'cab'],
    ['&_sort=-date', 'bac'],
    ['&_sort=status', 'cba'],
    ['&_sort=title', 'abc'],
    ['&_sort=-title', 'cba'],
    ['&_sort=status,title', 'cba'],
  ])('row 63: %s answers %s', async (sort, expected) => {
    expect(named((await get(`Composition?subject=r63${sort}`)).json).join('')).toBe(expected);
  });

  test.each(['author', 'subject', '-', 'date,colour', '--date'])(
    'row 63: _sort=%s is 400 not-supported',
    async (sort) => {
      expect(issueOf(await get(`Composition?_sort=${sort}`))).toEqual([400, 'not-supported', 'http._sort']);
    },
  );

  test('row 63: CarePlans have no title to be sorted by', async () => {
    expect(issueOf(await get('CarePlan?subject=x&_sort=title'))).toEqual([
      400,
      'not-supported',
      'http._sort',
    ]);
  });
});

test('row 64: self is absolute and holds what was used, encoded', async () => {
  const { json } = await get('Composition?subject=a%2Cb&category=s%7Cc&title=%C3%A5+b');
  expect(json.link).toEqual([
    {
      relation: 'self',
      url: `${server.origin}${root}/Composition?subject=a%2Cb&category=s%7Cc&title=%C3%A5%20b`,
    },
  ]);
});

test('row 65: every entry is a match, also where parameters were ignored', async () => {
  await server.send('POST', `${root}/CarePlan`, carePlan('Patient/r65'));
  const { json } = await get('CarePlan?subject=r65&colour=red', { Prefer: 'handling=lenient' });
  expect(json.entry.map((entry: Json) => entry.search.mode)).toEqual(['match']);
});

test('_search takes its parameters from the form, beside those of the address', async () => {
  const id = await store('CarePlan', { ...about('posted'), status: 'completed' });
  await store('CarePlan', about('posted'));
  const answer = await server.send('POST', `${root}/CarePlan/_search?subject=posted`, 'status=completed', {
    'Content-Type': 'application/x-www-form-urlencoded',
  });
  expect(answer.json).toMatchObject({ total: 1, entry: [{ resource: { id } }] });
  expect(answer.json.link[0].url).toBe(`${server.origin}${root}/CarePlan?subject=posted&status=completed`);
});
