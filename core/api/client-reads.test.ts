import { describe, expect, test } from 'vitest';
import { connectionHeader } from '../app/connections.ts';
import { ApiFailure, UnexpectedFormatError } from './failure.ts';
import {
  clientOf,
  failureOf,
  local,
  plan,
  remote,
  remotePath,
  outcomeOf,
  type SentRequest,
} from './testing/answered.ts';

const bundle = (parts: object = {}) => ({ resourceType: 'Bundle', ...parts });
const searchEntries = (...records: readonly object[]) => ({
  entry: records.map((resource) => ({ resource })),
});
const next = (url: string) => ({
  link: [
    { relation: 'self', url: '?x' },
    { relation: 'next', url },
  ],
});
const subject = [['subject', '17']] as const;
const isStatement = ({ path }: SentRequest) => path.endsWith('/metadata');

describe('search on the local server', () => {
  test('sends the query and returns matches, total and next page', async () => {
    const { client, requests } = clientOf(() => ({
      body: bundle({ total: 9, ...searchEntries(plan()), ...next('http://other/x?_cursor=c') }),
    }));
    const result = await client.search('CarePlan', [...subject, ['_total', '']]);
    expect(requests.map(({ path }) => path)).toEqual([`${local}?subject=17`]);
    expect(result).toMatchObject({
      total: 9,
      records: [{ text: JSON.stringify(plan()) }],
      next: '_cursor=c',
    });
    expect(result).not.toHaveProperty('atLeast');
    await client.nextPage('CarePlan', '_cursor=c');
    expect(requests[1]?.path).toBe(`${local}?_cursor=c`);
  });

  test.each<[label: string, parts: object, expected: object]>([
    ['no total and no next page', {}, { total: 1 }],
    ['no total and a next page', next('?b'), { total: 1, atLeast: true, next: 'b' }],
    ['a total that is no number', { total: '7' }, { total: 1 }],
    ['a total of none', { total: 0 }, { total: 0 }],
    ['a link without a query', next('http://other/x'), { total: 1 }],
  ])('counts the matches with %s', async (_label, parts, expected) => {
    const { client } = clientOf(() => ({ body: bundle({ ...searchEntries(plan()), ...parts }) }));
    const { records, ...counts } = await client.search('CarePlan', subject);
    expect(counts).toEqual(expected);
    expect(records).toHaveLength(1);
  });

  test('excludes includes, outcomes and empty entries', async () => {
    const entry = [
      { resource: plan() },
      { resource: plan({ id: 'b' }), search: { mode: 'include' } },
      { resource: { resourceType: 'Patient' }, search: { mode: 'include' } },
      { resource: outcomeOf('Beside.') },
      {},
    ];
    const { client } = clientOf(() => ({ body: bundle({ entry }) }));
    expect((await client.search('CarePlan', [])).records).toHaveLength(1);
  });

  test.each<[label: string, body: object, form: new (...parts: never[]) => Error, message: string]>([
    ['an outcome', outcomeOf('No.'), ApiFailure, 'No.'],
    ['a record', plan(), ApiFailure, 'The server answered 200.'],
    [
      'records of another type',
      bundle(searchEntries({ resourceType: 'Goal' })),
      UnexpectedFormatError,
      'something other than',
    ],
  ])('rejects %s as response', async (_label, body, form, message) => {
    const { client } = clientOf(() => ({ body }));
    const failure = await failureOf(client.search('CarePlan', subject));
    expect(failure).toBeInstanceOf(form);
    expect(failure).toHaveProperty('message', expect.stringContaining(message));
  });
});

describe('search on a remote server', () => {
  test('requests an exact total and typed references', async () => {
    const { client, requests } = clientOf(
      (request) => ({
        body: isStatement(request) ? {} : bundle({ ...searchEntries(plan()), ...next('?page=2') }),
      }),
      { remote },
    );
    const query = [...subject, ['_elements', 'title']] as const;
    expect(await client.search('CarePlan', query)).toMatchObject({ atLeast: true, next: '?page=2' });
    await client.search('CarePlan', query);
    const path = `${remotePath}?subject=Patient%2F17&_elements=title&_total=accurate`;
    expect(requests.map((request) => request.path)).toEqual([
      '/app/connections/r/fhir-r4/v1/metadata',
      path,
      path,
    ]);
  });

  test.each([
    ['Chartkeeper', 'subject=17'],
    ['Other', 'subject=Patient%2F17'],
  ])('queries %s with %s', async (name, query) => {
    const { client, requests } = clientOf(
      (request) => ({ body: isStatement(request) ? { software: { name } } : bundle() }),
      {
        remote,
      },
    );
    await client.search('CarePlan', subject);
    expect(requests.at(-1)?.path).toBe(`${remotePath}?${query}&_total=accurate`);
  });

  test('omits shaping parameters after the server rejected them', async () => {
    const { client, requests } = clientOf(
      (request) => (request.path.includes('_total') ? { status: 400 } : { body: bundle() }),
      {
        remote,
      },
    );
    const query = [...subject, ['_elements', 'title'], ['_summary', 'true'], ['_sort', 'date']] as const;
    await client.search('CarePlan', query);
    await client.search('CarePlan', query);
    const plain = `${remotePath}?subject=Patient%2F17&_sort=date`;
    expect(requests.slice(2).map(({ path }) => path)).toEqual([plain, plain]);
  });

  test.each([
    [400, 3],
    [403, 2],
    [500, 2],
  ])(
    'fails if all requests fail with %s, and sends shaping parameters again',
    async (status, requestCount) => {
      const { client, requests } = clientOf(
        (request) => (isStatement(request) ? {} : { status, body: outcomeOf('No.') }),
        {
          remote,
        },
      );
      expect(await failureOf(client.search('CarePlan', subject))).toMatchObject({ status, message: 'No.' });
      expect(requests).toHaveLength(requestCount);
      await failureOf(client.search('CarePlan', subject));
      expect(requests[requestCount]?.path).toContain('_total=accurate');
    },
  );

  test('does not repeat a request for a list of other records', async () => {
    const { client, requests } = clientOf(() => ({ body: bundle(searchEntries({ resourceType: 'Goal' })) }), {
      remote,
    });
    expect(await failureOf(client.search('CarePlan', subject))).toBeInstanceOf(UnexpectedFormatError);
    expect(requests).toHaveLength(2);
  });
});

test.each([
  ['a server that was away', 503, 2],
  ['one that fails', 500, 2],
  ['one that has none', 404, 1],
])('requests the statement of %s as often as needed', async (_label, status, times) => {
  const { client, requests } = clientOf(() => ({ status }), { remote });
  expect(await client.metadata()).toBeUndefined();
  expect(await client.metadata()).toBeUndefined();
  expect(requests).toHaveLength(times);
});

test('requests the statement of an unreachable server again', async () => {
  let requestCount = 0;
  const fetch = () => {
    requestCount += 1;
    return Promise.reject(new TypeError('fetch failed'));
  };
  const { client } = clientOf(() => ({}), { fetch });
  expect(await client.metadata()).toBeUndefined();
  expect(await client.metadata()).toBeUndefined();
  expect(requestCount).toBe(2);
});

test('reads a remote page through the gateway and stops at a self-referencing link', async () => {
  const link = 'https://clinic.example:8443/page/2';
  const { client, requests } = clientOf(
    () => ({ body: bundle({ ...searchEntries(plan()), ...next(link) }) }),
    {
      remote,
    },
  );
  expect(await client.nextPage('CarePlan', 'https://clinic.example:8443/page/1')).toMatchObject({
    next: link,
  });
  const lastPage = await client.nextPage('CarePlan', link);
  expect(lastPage).toEqual({
    total: 1,
    records: [expect.objectContaining({ text: JSON.stringify(plan()) })],
  });
  expect(requests[1]?.path).toBe(`/app/connections/r/page?type=CarePlan&link=${encodeURIComponent(link)}`);
});

test('requests a version by its id and opens only that version', async () => {
  const { client, requests } = clientOf(() => ({ body: plan({ meta: { versionId: 'v/1' } }) }));
  expect((await client.readVersion('CarePlan', 'a', 'v/1')).text).toContain('v/1');
  expect(await failureOf(client.readVersion('CarePlan', 'a', 2))).toBeInstanceOf(UnexpectedFormatError);
  expect(requests.map(({ path }) => path)).toEqual([`${local}/a/_history/v%2F1`, `${local}/a/_history/2`]);
});

test('requests a remote version by the id in its history', async () => {
  const history = bundle(
    searchEntries(plan({ meta: { versionId: 'second' } }), plan({ meta: { versionId: 'first' } })),
  );
  const { client, requests } = clientOf(
    ({ path }) => ({
      body: path.includes('_count')
        ? history
        : path.includes('_id=')
          ? bundle()
          : plan({ meta: { versionId: path.replace(/.*\//, '') } }),
    }),
    { remote },
  );
  expect((await client.readVersion('CarePlan', 'a', 2)).text).toContain('"second"');
  expect((await client.readVersion('CarePlan', 'a', 'first')).text).toContain('"first"');
  expect(requests.map(({ path }) => path)).toEqual([
    `${remotePath}/a/_history?_count=100`,
    `${remotePath}?_id=a&_revinclude=Provenance%3Atarget`,
    `${remotePath}/a/_history/second`,
    `${remotePath}/a/_history/first`,
  ]);
  expect((await client.history('CarePlan', 'a')).versions.map(({ version }) => version)).toEqual([2, 1]);
});

test('reads the local history page by page and validates its form', async () => {
  const page = { total: 0, versions: [], next: 'n' };
  const { client, requests } = clientOf(({ path }) => ({ body: path.includes('page=') ? {} : page }));
  expect(await client.history('CarePlan', 'a')).toEqual(page);
  expect(await failureOf(client.history('CarePlan', 'a', { count: 7, page: 'n n' }))).toBeInstanceOf(
    UnexpectedFormatError,
  );
  expect(requests.map(({ path }) => path)).toEqual([
    '/app/history/CarePlan/a?count=50',
    '/app/history/CarePlan/a?count=7&page=n%20n',
  ]);
});

test('names the connection in requests to addresses of the app', async () => {
  const { client, requests } = clientOf(({ method }) => ({ body: method === 'GET' ? '{"a":1}' : '' }), {
    remote,
  });
  expect(await client.app('GET', '/quality')).toEqual({ a: 1 });
  expect(await client.app('PUT', '/quality', { b: 2 })).toBeUndefined();
  expect(await client.appText('/export')).toBe('{"a":1}');
  expect(await client.revert('run', 4, { confirmed: 'h' })).toEqual({ text: '' });
  const headers = { [connectionHeader]: 'r' };
  expect(requests).toMatchObject([
    { method: 'GET', path: '/app/quality', headers },
    { method: 'PUT', path: '/app/quality', headers, body: '{"b":2}' },
    { method: 'GET', path: '/app/export', headers },
    { method: 'POST', path: '/app/bulk/run/targets/4/put-back' },
  ]);
  expect(requests[0]).not.toHaveProperty('body');
  expect(client.quality).toBe('/connections/r/quality');
  const localClient = clientOf(() => ({}));
  await localClient.client.app('DELETE', '/x');
  expect(localClient.requests[0]?.headers).not.toHaveProperty(connectionHeader);
  expect(localClient.client.quality).toBe('/quality');
});

test('validates a text on the server in use and rejects other responses', async () => {
  const { client, requests } = clientOf(({ body }) => ({
    body: body === '{}' ? outcomeOf('Empty.') : plan(),
  }));
  expect(await client.validate('CarePlan', '{}')).toEqual(outcomeOf('Empty.'));
  expect(await failureOf(client.validate('CarePlan', '[]'))).toHaveProperty(
    'message',
    'The server’s answer could not be understood.',
  );
  expect(requests[0]).toMatchObject({ method: 'POST', path: `${local}/$validate` });
});

test.each<[reference: string, path: string | undefined]>([
  ['Patient/1', '/app/connections/r/fhir-r4/v1/Patient/1'],
  [`${remote.baseUrl}/Patient/1`, '/app/connections/r/fhir-r4/v1/Patient/1'],
  ['https://other.example/Patient/1', undefined],
  ['urn:uuid:x', undefined],
  ['patient/1', undefined],
  ['Patient/1_2', undefined],
  ['1', undefined],
  ['', undefined],
])('reads the remote target of %j at %s', async (reference, path) => {
  const { client, requests } = clientOf(() => ({ body: 'text' }), { remote });
  expect(await client.referred(reference)).toBe(path && 'text');
  expect(requests.map((request) => request.path)).toEqual(path === undefined ? [] : [path]);
});

test('reads the local target of a reference; undefined if it is missing', async () => {
  const { client, requests } = clientOf(({ path }) => ({ status: Number(/\d{3}/.exec(path)) }));
  expect(await client.referred('Patient/404')).toBeUndefined();
  expect(await client.referred('Patient/410')).toBeUndefined();
  expect(await failureOf(client.referred('Patient/403'))).toBeInstanceOf(ApiFailure);
  expect(await client.referred('Patient/200')).toBe('{}');
  expect(requests[0]?.path).toMatch(/^\/app\/.*404/);
});
