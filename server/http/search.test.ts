import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { searchParametersOf } from '../../core/fhir/search-parameters.ts';
import { startTestServer, type Answer, type Json, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const root = '/fhir-r4/v1';
const get = (query: string, headers: Record<string, string> = {}): Promise<Answer> =>
  server.send('GET', `${root}/${query}`, undefined, headers);
const countMatches = async (query: string): Promise<unknown> => (await get(query)).json.total;
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

// Row 55 of docs/api-rows.md.
describe('reference forms', () => {
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

  // Row 55 of docs/api-rows.md.
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
  ])('%s finds %i records', async (query, expected) => {
    expect(await countMatches(`CarePlan?${query}`)).toBe(expected);
  });

  // Row 55 of docs/api-rows.md.
  test('matches an absolute reference of this server like a relative one', async () => {
    expect(await countMatches(`CarePlan?subject=${server.origin}${root}/Patient/r55`)).toBe(4);
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
])('finds nothing for %s', async (query) => {
  const answer = await get(`CarePlan?${query}`);
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({ resourceType: 'Bundle', type: 'searchset', total: 0, entry: [] });
});

// Row 59 of docs/api-rows.md.
test('returns all Compositions without parameters', async () => {
  await store('Composition', withSubject('r59'));
  const response = await get('Composition');
  expect(response.json.total).toBe(response.json.entry.length);
  expect(response.json.total).toBeGreaterThan(0);
});

// Rows 54 and 60 of docs/api-rows.md. Rows 61 and 66 are in server/conformance/rows-results.test.ts.
describe('unsupported parameters', () => {
  // Row 60 of docs/api-rows.md.
  test('rejects an unknown parameter with 400 and lists the known names', async () => {
    const answer = await get('CarePlan?subject=x&colour=red');
    expect(summarizeIssue(answer)).toEqual([400, 'not-supported', 'http.colour']);
    for (const { name } of searchParametersOf('CarePlan')) {
      expect(answer.json.issue[0].details.text).toContain(name);
    }
  });

  // Row 60 of docs/api-rows.md.
  test('ignores an unknown parameter of a lenient client and omits it from self', async () => {
    const answer = await get('CarePlan?subject=x&colour=red', { Prefer: 'handling=lenient' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('preference-applied')).toBe('handling=lenient');
    expect(answer.json.link[0].url).toBe(`${server.origin}${root}/CarePlan?subject=x`);
  });

  // Row 54 of docs/api-rows.md.
  test('treats context as the code of an event and not as encounter', async () => {
    await store('Composition', { ...withSubject('r54'), encounter: { reference: 'Encounter/e54' } });
    await store('Composition', { ...withSubject('r54'), event: [{ code: [{ coding: [{ code: 'e54' }] }] }] });
    const countFound = async (query: string) =>
      (await get(`Composition?subject=r54&${query}`)).json.entry.length;
    expect([await countFound('encounter=e54'), await countFound('context=e54')]).toEqual([1, 1]);
    expect(await countFound('encounter=e54&context=e54')).toBe(0);
  });
});

// Row 62 of docs/api-rows.md.
test.each(['subject=', 'subject', 'subject=%20', 'subject=a,', 'encounter=&subject=x'])(
  'rejects %s with 400',
  async (query) => {
    expect(summarizeIssue(await get(`CarePlan?${query}`)).slice(0, 2)).toEqual([400, 'value']);
  },
);

// Row 63 of docs/api-rows.md.
describe('order', () => {
  const ids: Record<string, string> = {};
  const listNames = (json: Json) =>
    json.entry.map((entry: Json) => Object.keys(ids).find((name) => ids[name] === entry.resource.id));

  beforeAll(async () => {
    ids.b = await store('Composition', {
      ...withSubject('r63'),
      title: 'Äb',
      date: '2026-02',
      status: 'final',
    });
    ids.c = await store('Composition', {
      ...withSubject('r63'),
      title: 'ac',
      date: '2024',
      status: 'amended',
    });
    ids.a = await store('Composition', {
      ...withSubject('r63'),
      title: 'AA',
      date: '2025-01-01',
      status: 'preliminary',
    });
  });

  // Row 63 of docs/api-rows.md.
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
  ])('sorts by %s as %s', async (sort, expected) => {
    expect(listNames((await get(`Composition?subject=r63${sort}`)).json).join('')).toBe(expected);
  });

  // Row 63 of docs/api-rows.md.
  test.each(['author', 'subject', '-', 'date,colour', '--date'])(
    'rejects _sort=%s with 400',
    async (sort) => {
      expect(summarizeIssue(await get(`Composition?_sort=${sort}`))).toEqual([
        400,
        'not-supported',
        'http._sort',
      ]);
    },
  );

  // Row 63 of docs/api-rows.md.
  test('rejects sorting CarePlans by title', async () => {
    expect(summarizeIssue(await get('CarePlan?subject=x&_sort=title'))).toEqual([
      400,
      'not-supported',
      'http._sort',
    ]);
  });
});

// Row 64 of docs/api-rows.md.
test('returns an absolute self link with the applied parameters, encoded', async () => {
  const { json } = await get('Composition?subject=a%2Cb&category=s%7Cc&title=%C3%A5+b');
  expect(json.link).toEqual([
    {
      relation: 'self',
      url: `${server.origin}${root}/Composition?subject=a%2Cb&category=s%7Cc&title=%C3%A5%20b`,
    },
  ]);
});

test('combines parameters of the form and of the address in _search', async () => {
  const id = await store('CarePlan', { ...withSubject('posted'), status: 'completed' });
  await store('CarePlan', withSubject('posted'));
  const answer = await server.send('POST', `${root}/CarePlan/_search?subject=posted`, 'status=completed', {
    'Content-Type': 'application/x-www-form-urlencoded',
  });
  expect(answer.json).toMatchObject({ total: 1, entry: [{ resource: { id } }] });
  expect(answer.json.link[0].url).toBe(`${server.origin}${root}/CarePlan?subject=posted&status=completed`);
});
