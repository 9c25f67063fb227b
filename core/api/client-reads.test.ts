import { describe, expect, test } from 'vitest';
import { connectionHeader } from '../app/connections.ts';
import { ApiFailure, UnknownForm } from './failure.ts';
import { clientOf, failureOf, local, plan, remote, there, told, type Sent } from './testing/answered.ts';

const bundle = (parts: object = {}) => ({ resourceType: 'Bundle', ...parts });
const listed = (...records: readonly object[]) => ({ entry: records.map((resource) => ({ resource })) });
const next = (url: string) => ({
  link: [
    { relation: 'self', url: '?x' },
    { relation: 'next', url },
  ],
});
const subject = [['subject', '17']] as const;
const isStatement = ({ path }: Sent) => path.endsWith('/metadata');

describe('a search of the own server', () => {
  test('is sent as it is, and tells matches, total and the next page', async () => {
    const { client, sent } = clientOf(() => ({
      body: bundle({ total: 9, ...listed(plan()), ...next('http://other/x?_cursor=c') }),
    }));
    const found = await client.search('CarePlan', [...subject, ['_total', '']]);
    expect(sent.map(({ path }) => path)).toEqual([`${local}?subject=17`]);
    expect(found).toMatchObject({ total: 9, records: [{ text: JSON.stringify(plan()) }], next: '_cursor=c' });
    expect(found).not.toHaveProperty('atLeast');
    await client.nextPage('CarePlan', '_cursor=c');
    expect(sent[1]?.path).toBe(`${local}?_cursor=c`);
  });

  test.each<[what: string, parts: object, expected: object]>([
    ['no total and no next page', {}, { total: 1 }],
    ['no total and a next page', next('?b'), { total: 1, atLeast: true, next: 'b' }],
    ['a total that is no number', { total: '7' }, { total: 1 }],
    ['a total of none', { total: 0 }, { total: 0 }],
    ['a link without a query', next('http://other/x'), { total: 1 }],
  ])('with %s counts what is there', async (_what, parts, expected) => {
    const { client } = clientOf(() => ({ body: bundle({ ...listed(plan()), ...parts }) }));
    const { records, ...others } = await client.search('CarePlan', subject);
    expect(others).toEqual(expected);
    expect(records).toHaveLength(1);
  });

  test('leaves out what was included, outcomes and entries that hold nothing', async () => {
    const entry = [
      { resource: plan() },
      { resource: plan({ id: 'b' }), search: { mode: 'include' } },
      { resource: { resourceType: 'Patient' }, search: { mode: 'include' } },
      { resource: told('Beside.') },
      {},
    ];
    const { client } = clientOf(() => ({ body: bundle({ entry }) }));
    expect((await client.search('CarePlan', [])).records).toHaveLength(1);
  });

  test.each<[what: string, body: object, form: new (...parts: never[]) => Error, message: string]>([
    ['an outcome', told('No.'), ApiFailure, 'No.'],
    ['a record', plan(), ApiFailure, 'The server answered 200.'],
    [
      'records of another type',
      bundle(listed({ resourceType: 'Goal' })),
      UnknownForm,
      'something other than',
    ],
  ])('that is answered by %s fails', async (_what, body, form, message) => {
    const { client } = clientOf(() => ({ body }));
    const failure = await failureOf(client.search('CarePlan', subject));
    expect(failure).toBeInstanceOf(form);
    expect(failure).toHaveProperty('message', expect.stringContaining(message));
  });
});

describe('a search of another server', () => {
  test('asks for an exact total and by typed references', async () => {
    const { client, sent } = clientOf(
      (one) => ({ body: isStatement(one) ? {} : bundle({ ...listed(plan()), ...next('?page=2') }) }),
      { remote },
    );
    const query = [...subject, ['_elements', 'title']] as const;
    expect(await client.search('CarePlan', query)).toMatchObject({ atLeast: true, next: '?page=2' });
    await client.search('CarePlan', query);
    const path = `${there}?subject=Patient%2F17&_elements=title&_total=accurate`;
    expect(sent.map((one) => one.path)).toEqual(['/app/connections/r/fhir-r4/v1/metadata', path, path]);
  });

  test.each([
    ['Chartkeeper', 'subject=17'],
    ['Other', 'subject=Patient%2F17'],
  ])('that is run by %s is asked by %s', async (name, query) => {
    const { client, sent } = clientOf(
      (one) => ({ body: isStatement(one) ? { software: { name } } : bundle() }),
      {
        remote,
      },
    );
    await client.search('CarePlan', subject);
    expect(sent.at(-1)?.path).toBe(`${there}?${query}&_total=accurate`);
  });

  test('does without what shapes the answer where the server refuses it, from then on', async () => {
    const { client, sent } = clientOf(
      (one) => (one.path.includes('_total') ? { status: 400 } : { body: bundle() }),
      {
        remote,
      },
    );
    const query = [...subject, ['_elements', 'title'], ['_summary', 'true'], ['_sort', 'date']] as const;
    await client.search('CarePlan', query);
    await client.search('CarePlan', query);
    const plain = `${there}?subject=Patient%2F17&_sort=date`;
    expect(sent.slice(2).map(({ path }) => path)).toEqual([plain, plain]);
  });

  test.each([
    [400, 3],
    [403, 2],
    [500, 2],
  ])('that answers %s to all fails, and asks for the shape again', async (status, asked) => {
    const { client, sent } = clientOf((one) => (isStatement(one) ? {} : { status, body: told('No.') }), {
      remote,
    });
    expect(await failureOf(client.search('CarePlan', subject))).toMatchObject({ status, message: 'No.' });
    expect(sent).toHaveLength(asked);
    await failureOf(client.search('CarePlan', subject));
    expect(sent[asked]?.path).toContain('_total=accurate');
  });

  test('that lists something else is not asked again', async () => {
    const { client, sent } = clientOf(() => ({ body: bundle(listed({ resourceType: 'Goal' })) }), { remote });
    expect(await failureOf(client.search('CarePlan', subject))).toBeInstanceOf(UnknownForm);
    expect(sent).toHaveLength(2);
  });
});

test.each([
  ['a server that was away', 503, 2],
  ['one that fails', 500, 2],
  ['one that has none', 404, 1],
])('what %s says of itself is asked for as often as it may come', async (_what, status, times) => {
  const { client, sent } = clientOf(() => ({ status }), { remote });
  expect(await client.metadata()).toBeUndefined();
  expect(await client.metadata()).toBeUndefined();
  expect(sent).toHaveLength(times);
});

test('a server that cannot be reached is asked again for what it says of itself', async () => {
  let asked = 0;
  const fetch = () => {
    asked += 1;
    return Promise.reject(new TypeError('fetch failed'));
  };
  const { client } = clientOf(() => ({}), { fetch });
  expect(await client.metadata()).toBeUndefined();
  expect(await client.metadata()).toBeUndefined();
  expect(asked).toBe(2);
});

test('a page of another server is read through the gateway; one that leads to itself is the last', async () => {
  const link = 'https://clinic.example:8443/page/2';
  const { client, sent } = clientOf(() => ({ body: bundle({ ...listed(plan()), ...next(link) }) }), {
    remote,
  });
  expect(await client.nextPage('CarePlan', 'https://clinic.example:8443/page/1')).toMatchObject({
    next: link,
  });
  const last = await client.nextPage('CarePlan', link);
  expect(last).toEqual({ total: 1, records: [expect.objectContaining({ text: JSON.stringify(plan()) })] });
  expect(sent[1]?.path).toBe(`/app/connections/r/page?type=CarePlan&link=${encodeURIComponent(link)}`);
});

test('a version is asked for by its name, and is opened where it is that one', async () => {
  const { client, sent } = clientOf(() => ({ body: plan({ meta: { versionId: 'v/1' } }) }));
  expect((await client.readVersion('CarePlan', 'a', 'v/1')).text).toContain('v/1');
  expect(await failureOf(client.readVersion('CarePlan', 'a', 2))).toBeInstanceOf(UnknownForm);
  expect(sent.map(({ path }) => path)).toEqual([`${local}/a/_history/v%2F1`, `${local}/a/_history/2`]);
});

test('a version of another server is asked for by the name that its history gives it', async () => {
  const history = bundle(
    listed(plan({ meta: { versionId: 'second' } }), plan({ meta: { versionId: 'first' } })),
  );
  const { client, sent } = clientOf(
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
  expect(sent.map(({ path }) => path)).toEqual([
    `${there}/a/_history?_count=100`,
    `${there}?_id=a&_revinclude=Provenance%3Atarget`,
    `${there}/a/_history/second`,
    `${there}/a/_history/first`,
  ]);
  expect((await client.history('CarePlan', 'a')).versions.map(({ version }) => version)).toEqual([2, 1]);
});

test('the own history is read page by page, and in its form alone', async () => {
  const page = { total: 0, versions: [], next: 'n' };
  const { client, sent } = clientOf(({ path }) => ({ body: path.includes('page=') ? {} : page }));
  expect(await client.history('CarePlan', 'a')).toEqual(page);
  expect(await failureOf(client.history('CarePlan', 'a', { count: 7, page: 'n n' }))).toBeInstanceOf(
    UnknownForm,
  );
  expect(sent.map(({ path }) => path)).toEqual([
    '/app/history/CarePlan/a?count=50',
    '/app/history/CarePlan/a?count=7&page=n%20n',
  ]);
});

test('the own addresses of the app are asked on behalf of the server that is worked on', async () => {
  const { client, sent } = clientOf(({ method }) => ({ body: method === 'GET' ? '{"a":1}' : '' }), {
    remote,
  });
  expect(await client.app('GET', '/quality')).toEqual({ a: 1 });
  expect(await client.app('PUT', '/quality', { b: 2 })).toBeUndefined();
  expect(await client.appText('/export')).toBe('{"a":1}');
  expect(await client.putBack('run', 4, { confirmed: 'h' })).toEqual({ text: '' });
  const headers = { [connectionHeader]: 'r' };
  expect(sent).toMatchObject([
    { method: 'GET', path: '/app/quality', headers },
    { method: 'PUT', path: '/app/quality', headers, body: '{"b":2}' },
    { method: 'GET', path: '/app/export', headers },
    { method: 'POST', path: '/app/bulk/run/targets/4/put-back' },
  ]);
  expect(sent[0]).not.toHaveProperty('body');
  expect(client.quality).toBe('/connections/r/quality');
  const own = clientOf(() => ({}));
  await own.client.app('DELETE', '/x');
  expect(own.sent[0]?.headers).not.toHaveProperty(connectionHeader);
  expect(own.client.quality).toBe('/quality');
});

test('a text is validated where it would be stored; an answer that is no outcome is none', async () => {
  const { client, sent } = clientOf(({ body }) => ({ body: body === '{}' ? told('Empty.') : plan() }));
  expect(await client.validate('CarePlan', '{}')).toEqual(told('Empty.'));
  expect(await failureOf(client.validate('CarePlan', '[]'))).toHaveProperty(
    'message',
    'The server answered in a form that is not known here.',
  );
  expect(sent[0]).toMatchObject({ method: 'POST', path: `${local}/$validate` });
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
])('what %j leads to on another server is read at %s', async (reference, path) => {
  const { client, sent } = clientOf(() => ({ body: 'text' }), { remote });
  expect(await client.referred(reference)).toBe(path && 'text');
  expect(sent.map((one) => one.path)).toEqual(path === undefined ? [] : [path]);
});

test('what is referred to is a companion here; where it is gone there is nothing', async () => {
  const { client, sent } = clientOf(({ path }) => ({ status: Number(/\d{3}/.exec(path)) }));
  expect(await client.referred('Patient/404')).toBeUndefined();
  expect(await client.referred('Patient/410')).toBeUndefined();
  expect(await failureOf(client.referred('Patient/403'))).toBeInstanceOf(ApiFailure);
  expect(await client.referred('Patient/200')).toBe('{}');
  expect(sent[0]?.path).toMatch(/^\/app\/.*404/);
});
