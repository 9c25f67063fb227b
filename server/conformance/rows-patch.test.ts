/** Rows 36 to 49 of docs/api-rows.md: replacing elements. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { expectRejection } from './testing/outcome.ts';
import {
  toPath,
  replace,
  sample,
  statusOf,
  store,
  types,
  unknownId,
  type StoredRecord,
} from './testing/records.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

/** Members that every record here has in addition to the valid minimum. The default level stores unknown elements. */
const members = {
  identifier: undefined,
  extension: [
    { url: 'http://a.example', valueString: 'one' },
    { url: 'http://b.example', valueString: 'two' },
  ],
  x: { 'a/b': 1, 'm~n': 2, 'c%d': 3, '~1': 4, ' ': 5, length: 6, deep: { list: [[10, 20], [30]] } },
};

describe.each(types)('%s', (type) => {
  let record: StoredRecord;
  beforeEach(async () => {
    record = await store(server, type, members);
  });
  const patch = (body: string, headers?: Record<string, string>) =>
    server.send('PATCH', record.path, body, headers);

  /** Asserts that the record is unchanged since its creation. */
  async function expectUntouched(): Promise<void> {
    expect((await server.send('GET', record.path)).text).toBe(record.text);
  }

  // Row 36 of docs/api-rows.md.
  test('returns 200 with the whole record and a new version', async () => {
    const { status, headers, json, text } = await patch(replace('/extension/0/valueString', 'changed'));
    expect([status, headers.get('etag'), json.meta.versionId]).toEqual([200, 'W/"2"', '2']);
    const extension = [{ ...members.extension[0], valueString: 'changed' }, members.extension[1]];
    expect(json).toEqual(
      JSON.parse(JSON.stringify(sample(type, { ...members, extension, id: record.id, meta: json.meta }))),
    );
    expect((await server.send('GET', record.path)).text).toBe(text);
  });

  // Row 36 of docs/api-rows.md.
  test('applies several operations in order as one version', async () => {
    const operations = [
      { op: 'replace', path: '/x/deep', value: { list: [1] } },
      { op: 'replace', path: '/x/deep/list/0', value: 2 },
    ];
    const { headers, json } = await patch(JSON.stringify(operations));
    expect([headers.get('etag'), json.x.deep]).toEqual(['W/"2"', { list: [2] }]);
  });

  // Row 36 of docs/api-rows.md.
  test('ignores members of an operation that RFC 6902 does not define', async () => {
    const body = '[{"op":"replace","path":"/language","value":"nn","note":"why"}]';
    expect((await patch(body)).json.language).toBe('nn');
  });

  // Rows 30 and 36 of docs/api-rows.md.
  test('honors If-Match and Prefer: return=minimal', async () => {
    const good = await patch(replace('/language', 'nn'), { 'If-Match': 'W/"1"', Prefer: 'return=minimal' });
    expect([good.status, good.text, good.headers.get('etag')]).toEqual([200, '', 'W/"2"']);
    const stale = await patch(replace('/language', 'nb'), { 'If-Match': 'W/"1"' });
    expectRejection(stale, { status: 412, code: 'conflict', location: 'http.If-Match' });
    expect(stale.headers.get('etag')).toBe('W/"2"');
  });

  // Row 37 of docs/api-rows.md.
  test.each([unknownId, 'x'])('returns 404 not-found for the unknown id %s', async (id) => {
    const answer = await server.send('PATCH', toPath(type, id), replace('/language', 'nn'));
    expectRejection(answer, { status: 404, code: 'not-found' });
  });

  // Row 38 of docs/api-rows.md.
  test.each(['{}', '"/language"', '1', 'null', '{"op":"replace","path":"/language","value":"nn"}', '[', ''])(
    'returns 400 structure for the body %j',
    async (body) => {
      expectRejection(await patch(body), { status: 400, code: 'structure' });
      await expectUntouched();
    },
  );

  // Row 38 of docs/api-rows.md.
  test('returns 400 structure for a Parameters resource as application/json', async () => {
    const body = '{"resourceType":"Parameters","parameter":[{"name":"operation"}]}';
    expectRejection(await patch(body), { status: 400, code: 'structure' });
  });

  // Row 39 of docs/api-rows.md.
  test('returns 200 without a change for an empty array', async () => {
    const { status, headers, text } = await patch('[]');
    expect([status, headers.get('etag'), text]).toEqual([200, 'W/"1"', record.text]);
  });

  // Rows 33 and 39 of docs/api-rows.md.
  test('creates no version if the value is the same', async () => {
    const { status, headers, text } = await patch(replace('/extension/0/valueString', 'one'));
    expect([status, headers.get('etag'), text]).toEqual([200, 'W/"1"', record.text]);
  });

  const good = { op: 'replace', path: '/language', value: 'nn' };
  // Row 40 of docs/api-rows.md.
  test.each([
    ['a number', 1, ''],
    ['a string', 'replace', ''],
    ['null', null, ''],
    ['a list', [good], ''],
    ['without op', { path: '/language', value: 'nn' }, 'op missing'],
    ['without path', { op: 'replace', value: 'nn' }, 'path missing'],
    ['without value', { op: 'replace', path: '/language' }, 'value missing'],
  ])('returns 400 required with the index for an operation that is %s', async (_, operation, detail) => {
    const answer = await patch(JSON.stringify([good, operation]));
    const diagnostics = detail === '' ? 'op[1]' : `op[1]: ${detail}`;
    expectRejection(answer, { status: 400, code: 'required', diagnostics });
    await expectUntouched();
  });

  // Row 41 of docs/api-rows.md.
  test.each([
    { op: 'add', path: '/language', value: 'nn' },
    { op: 'remove', path: '/extension/0' },
    { op: 'move', from: '/extension/0', path: '/extension/1' },
    { op: 'copy', from: '/extension/0', path: '/extension/1' },
    { op: 'test', path: `/${statusOf(type)}`, value: 'x' },
  ])('returns 422 not-supported for $op', async (operation) => {
    expectRejection(await patch(JSON.stringify([operation])), { status: 422, code: 'not-supported' });
    await expectUntouched();
  });

  // Row 42 of docs/api-rows.md.
  test.each(['delete', 'REPLACE', 'Replace', '', ' replace', '__proto__'])(
    'returns 400 value for op %j',
    async (op) => {
      expectRejection(await patch(JSON.stringify([{ ...good, op }])), { status: 400, code: 'value' });
      await expectUntouched();
    },
  );

  // Row 43 of docs/api-rows.md.
  test.each(['language', 'x/a', '#/language', '/x/~2', '/x/m~', '/~', '/x/~/y', ' /language'])(
    'returns 400 value for the path %j',
    async (path) => {
      expectRejection(await patch(replace(path, 1)), { status: 400, code: 'value' });
      await expectUntouched();
    },
  );

  // Row 44 of docs/api-rows.md.
  test('returns 422 not-supported for the path of the whole document', async () => {
    expectRejection(await patch(replace('', sample(type))), { status: 422, code: 'not-supported' });
    await expectUntouched();
  });

  // Row 45 of docs/api-rows.md.
  test.each([
    ['/nothing', ''],
    ['/', ''],
    ['/Language', ''],
    ['/nothing/at/all', ''],
    ['/x/nothing', '.x'],
    ['/x/deep/nothing/at/all', '.x.deep'],
    ['/extension/0/nothing', '.extension[0]'],
    [`/${statusOf(type)}/x`, `.${statusOf(type)}`],
    [`/${statusOf(type)}/0`, `.${statusOf(type)}`],
    ['/x/deep/list/0/0/0', '.x.deep.list[0][0]'],
  ])('returns 422 processing at the nearest parent of the missing %s', async (path, parent) => {
    const answer = await patch(replace(path, 'v'));
    expectRejection(answer, { status: 422, code: 'processing', expression: `${type}${parent}` });
    await expectUntouched();
  });

  // Row 45 of docs/api-rows.md.
  test('sets /language if the record has none', async () => {
    expect(record.json.language).toBeUndefined();
    const { status, json } = await patch(replace('/language', 'nn'));
    expect([status, json.language]).toEqual([200, 'nn']);
  });

  // Row 46 of docs/api-rows.md.
  test('replaces an item by index, also in nested lists', async () => {
    expect((await patch(replace('/extension/1/valueString', 'b'))).json.extension[1].valueString).toBe('b');
    expect((await patch(replace('/x/deep/list/0/1', 21))).json.x.deep.list).toEqual([[10, 21], [30]]);
  });

  // Row 46 of docs/api-rows.md.
  test.each(['00', '01', '1e0', '+1', '-1', '-0'])('returns 400 value for the index %s', async (index) => {
    expectRejection(await patch(replace(`/extension/${index}`, 'v')), { status: 400, code: 'value' });
    expectRejection(await patch(replace(`/extension/${index}/url`, 'v')), { status: 400, code: 'value' });
    await expectUntouched();
  });

  // Row 46 of docs/api-rows.md.
  test.each(['2', '-', '99999999999999999999'])('returns 422 processing for the index %s', async (index) => {
    for (const path of [`/extension/${index}`, `/extension/${index}/url`]) {
      const answer = await patch(replace(path, 'v'));
      expectRejection(answer, { status: 422, code: 'processing', expression: `${type}.extension` });
    }
    await expectUntouched();
  });

  // Row 47 of docs/api-rows.md.
  test.each([
    ['/x/a~1b', 'a/b'],
    ['/x/m~0n', 'm~n'],
    ['/x/c%d', 'c%d'],
    ['/x/~01', '~1'],
    ['/x/ ', ' '],
    ['/x/length', 'length'],
  ])('resolves the path %s to the key %j', async (path, key) => {
    const { status, json } = await patch(replace(path, 'new'));
    expect([status, json.x]).toEqual([200, { ...members.x, [key]: 'new' }]);
  });

  // Row 47 of docs/api-rows.md.
  test.each(['/x/c%25d', '/x/a%2Fb', '/x%2Flength', '/lang%75age'])(
    'does not percent-decode %s',
    async (path) => {
      expectRejection(await patch(replace(path, 'v')), { status: 422, code: 'processing' });
    },
  );

  // Row 48 of docs/api-rows.md.
  test.each(['id', 'resourceType', 'meta.versionId', 'meta.lastUpdated'])(
    'returns 422 business-rule for %s, which the server sets',
    async (element) => {
      const answer = await patch(replace(`/${element.replace('.', '/')}`, 'v'));
      expectRejection(answer, { status: 422, code: 'business-rule', expression: `${type}.${element}` });
      await expectUntouched();
    },
  );

  // Row 48 of docs/api-rows.md.
  test('preserves version and time of the server when /meta is replaced', async () => {
    const meta = { versionId: '99', lastUpdated: '1999-01-01T00:00:00Z', source: 'http://s.example' };
    const { status, headers, json } = await patch(replace('/meta', meta));
    expect([status, headers.get('etag')]).toEqual([200, 'W/"2"']);
    expect(json.meta).toEqual({ ...meta, versionId: '2', lastUpdated: expect.not.stringMatching('1999') });
  });

  // Row 49 of docs/api-rows.md.
  test.each(['__proto__', 'constructor', 'prototype'])('returns 400 value for the name %s', async (name) => {
    for (const path of [`/${name}`, `/x/${name}`, `/x/${name}/y`, `/extension/${name}`]) {
      expectRejection(await patch(replace(path, {})), { status: 400, code: 'value' });
    }
    await expectUntouched();
  });

  // Row 49 of docs/api-rows.md.
  test.each([
    '/toString',
    '/x/hasOwnProperty',
    '/x/valueOf/name',
    `/${statusOf(type)}/length`,
    '/extension/length',
  ])('returns 422 processing for the inherited name in %s', async (path) => {
    expectRejection(await patch(replace(path, 0)), { status: 422, code: 'processing' });
    await expectUntouched();
  });

  // Row 49 of docs/api-rows.md.
  test.each(['__proto__', 'constructor', 'prototype'])('rejects the name %s in a value', async (name) => {
    const answer = await patch(`[{"op":"replace","path":"/x","value":{"${name}":{"polluted":1}}}]`);
    expect(answer.status).toBe(400);
    expect(Object.keys(Object.prototype)).toEqual([]);
    await expectUntouched();
  });
});
