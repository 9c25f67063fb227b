/** Rows 36 to 49 of the specification: replacing elements. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { expectRefusal } from './testing/outcome.ts';
import { at, replace, sample, statusOf, store, types, unknownId, type Stored } from './testing/records.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

/** What every record here has beside the conforming minimum; unknown elements are kept at the default level. */
const members = {
  identifier: undefined,
  extension: [
    { url: 'http://a.example', valueString: 'one' },
    { url: 'http://b.example', valueString: 'two' },
  ],
  x: { 'a/b': 1, 'm~n': 2, 'c%d': 3, '~1': 4, ' ': 5, length: 6, deep: { list: [[10, 20], [30]] } },
};

describe.each(types)('%s', (type) => {
  let record: Stored;
  beforeEach(async () => {
    record = await store(server, type, members);
  });
  const patch = (body: string, headers?: Record<string, string>) =>
    server.send('PATCH', record.path, body, headers);

  /** The record is as it was created. */
  async function expectUntouched(): Promise<void> {
    expect((await server.send('GET', record.path)).text).toBe(record.text);
  }

  test('row 36: success is 200 with the whole payload and a new version', async () => {
    const { status, headers, json, text } = await patch(replace('/extension/0/valueString', 'changed'));
    expect([status, headers.get('etag'), json.meta.versionId]).toEqual([200, 'W/"2"', '2']);
    const extension = [{ ...members.extension[0], valueString: 'changed' }, members.extension[1]];
    expect(json).toEqual(
      JSON.parse(JSON.stringify(sample(type, { ...members, extension, id: record.id, meta: json.meta }))),
    );
    expect((await server.send('GET', record.path)).text).toBe(text);
  });

  test('row 36: several operations apply in order and make one version', async () => {
    const operations = [
      { op: 'replace', path: '/x/deep', value: { list: [1] } },
      { op: 'replace', path: '/x/deep/list/0', value: 2 },
    ];
    const { headers, json } = await patch(JSON.stringify(operations));
    expect([headers.get('etag'), json.x.deep]).toEqual(['W/"2"', { list: [2] }]);
  });

  test('row 36: members of an operation that RFC 6902 does not know are ignored', async () => {
    const body = '[{"op":"replace","path":"/language","value":"nn","note":"why"}]';
    expect((await patch(body)).json.language).toBe('nn');
  });

  test('rows 30 and 36: If-Match counts, Prefer: return=minimal empties the body', async () => {
    const good = await patch(replace('/language', 'nn'), { 'If-Match': 'W/"1"', Prefer: 'return=minimal' });
    expect([good.status, good.text, good.headers.get('etag')]).toEqual([200, '', 'W/"2"']);
    const stale = await patch(replace('/language', 'nb'), { 'If-Match': 'W/"1"' });
    expectRefusal(stale, { status: 412, code: 'conflict', location: 'http.If-Match' });
    expect(stale.headers.get('etag')).toBe('W/"2"');
  });

  test.each([unknownId, 'x'])('row 37: the unknown id %s is 404 not-found', async (id) => {
    const answer = await server.send('PATCH', at(type, id), replace('/language', 'nn'));
    expectRefusal(answer, { status: 404, code: 'not-found' });
  });

  test.each(['{}', '"/language"', '1', 'null', '{"op":"replace","path":"/language","value":"nn"}', '[', ''])(
    'row 38: the body %j is 400 structure',
    async (body) => {
      expectRefusal(await patch(body), { status: 400, code: 'structure' });
      await expectUntouched();
    },
  );

  test('row 38: a Parameters resource as application/json is 400 structure', async () => {
    const body = '{"resourceType":"Parameters","parameter":[{"name":"operation"}]}';
    expectRefusal(await patch(body), { status: 400, code: 'structure' });
  });

  test('row 39: an empty array is 200 and changes nothing', async () => {
    const { status, headers, text } = await patch('[]');
    expect([status, headers.get('etag'), text]).toEqual([200, 'W/"1"', record.text]);
  });

  test('rows 33 and 39: replacing by what is there makes no version', async () => {
    const { status, headers, text } = await patch(replace('/extension/0/valueString', 'one'));
    expect([status, headers.get('etag'), text]).toEqual([200, 'W/"1"', record.text]);
  });

  const good = { op: 'replace', path: '/language', value: 'nn' };
  test.each([
    ['a number', 1, ''],
    ['a string', 'replace', ''],
    ['null', null, ''],
    ['a list', [good], ''],
    ['without op', { path: '/language', value: 'nn' }, 'op missing'],
    ['without path', { op: 'replace', value: 'nn' }, 'path missing'],
    ['without value', { op: 'replace', path: '/language' }, 'value missing'],
  ])('row 40: an operation that is %s is 400 required and named', async (_, operation, detail) => {
    const answer = await patch(JSON.stringify([good, operation]));
    const diagnostics = detail === '' ? 'op[1]' : `op[1]: ${detail}`;
    expectRefusal(answer, { status: 400, code: 'required', diagnostics });
    await expectUntouched();
  });

  test.each([
    { op: 'add', path: '/language', value: 'nn' },
    { op: 'remove', path: '/extension/0' },
    { op: 'move', from: '/extension/0', path: '/extension/1' },
    { op: 'copy', from: '/extension/0', path: '/extension/1' },
    { op: 'test', path: `/${statusOf(type)}`, value: 'x' },
  ])('row 41: $op is 422 not-supported', async (operation) => {
    expectRefusal(await patch(JSON.stringify([operation])), { status: 422, code: 'not-supported' });
    await expectUntouched();
  });

  test.each(['delete', 'REPLACE', 'Replace', '', ' replace', '__proto__'])(
    'row 42: op %j is 400 value',
    async (op) => {
      expectRefusal(await patch(JSON.stringify([{ ...good, op }])), { status: 400, code: 'value' });
      await expectUntouched();
    },
  );

  test.each(['language', 'x/a', '#/language', '/x/~2', '/x/m~', '/~', '/x/~/y', ' /language'])(
    'row 43: the path %j is 400 value',
    async (path) => {
      expectRefusal(await patch(replace(path, 1)), { status: 400, code: 'value' });
      await expectUntouched();
    },
  );

  test('row 44: the path of the whole document is 422 not-supported', async () => {
    expectRefusal(await patch(replace('', sample(type))), { status: 422, code: 'not-supported' });
    await expectUntouched();
  });

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
  ])(
    'row 45: replace of %s, which is missing, is 422 processing at the nearest parent',
    async (path, parent) => {
      const answer = await patch(replace(path, 'v'));
      expectRefusal(answer, { status: 422, code: 'processing', expression: `${type}${parent}` });
      await expectUntouched();
    },
  );

  test('row 45: /language is patchable where the record has none', async () => {
    expect(record.json.language).toBeUndefined();
    const { status, json } = await patch(replace('/language', 'nn'));
    expect([status, json.language]).toEqual([200, 'nn']);
  });

  test('row 46: an index names an item, also in a list in a list', async () => {
    expect((await patch(replace('/extension/1/valueString', 'b'))).json.extension[1].valueString).toBe('b');
    expect((await patch(replace('/x/deep/list/0/1', 21))).json.x.deep.list).toEqual([[10, 21], [30]]);
  });

  test.each(['00', '01', '1e0', '+1', '-1', '-0'])('row 46: the index %s is 400 value', async (index) => {
    expectRefusal(await patch(replace(`/extension/${index}`, 'v')), { status: 400, code: 'value' });
    expectRefusal(await patch(replace(`/extension/${index}/url`, 'v')), { status: 400, code: 'value' });
    await expectUntouched();
  });

  test.each(['2', '-', '99999999999999999999'])('row 46: the index %s is 422 processing', async (index) => {
    for (const path of [`/extension/${index}`, `/extension/${index}/url`]) {
      const answer = await patch(replace(path, 'v'));
      expectRefusal(answer, { status: 422, code: 'processing', expression: `${type}.extension` });
    }
    await expectUntouched();
  });

  test.each([
    ['/x/a~1b', 'a/b'],
    ['/x/m~0n', 'm~n'],
    ['/x/c%d', 'c%d'],
    ['/x/~01', '~1'],
    ['/x/ ', ' '],
    ['/x/length', 'length'],
  ])('row 47: the path %s names the key %j', async (path, key) => {
    const { status, json } = await patch(replace(path, 'new'));
    expect([status, json.x]).toEqual([200, { ...members.x, [key]: 'new' }]);
  });

  test.each(['/x/c%25d', '/x/a%2Fb', '/x%2Flength', '/lang%75age'])(
    'row 47: %s is not percent-decoded',
    async (path) => {
      expectRefusal(await patch(replace(path, 'v')), { status: 422, code: 'processing' });
    },
  );

  test.each(['id', 'resourceType', 'meta.versionId', 'meta.lastUpdated'])(
    "row 48: %s is the server's: 422 business-rule",
    async (element) => {
      const answer = await patch(replace(`/${element.replace('.', '/')}`, 'v'));
      expectRefusal(answer, { status: 422, code: 'business-rule', expression: `${type}.${element}` });
      await expectUntouched();
    },
  );

  test('row 48: /meta as a whole keeps the version and time of the server', async () => {
    const meta = { versionId: '99', lastUpdated: '1999-01-01T00:00:00Z', source: 'http://s.example' };
    const { status, headers, json } = await patch(replace('/meta', meta));
    expect([status, headers.get('etag')]).toEqual([200, 'W/"2"']);
    expect(json.meta).toEqual({ ...meta, versionId: '2', lastUpdated: expect.not.stringMatching('1999') });
  });

  test.each(['__proto__', 'constructor', 'prototype'])('row 49: the name %s is 400 value', async (name) => {
    for (const path of [`/${name}`, `/x/${name}`, `/x/${name}/y`, `/extension/${name}`]) {
      expectRefusal(await patch(replace(path, {})), { status: 400, code: 'value' });
    }
    await expectUntouched();
  });

  test.each([
    '/toString',
    '/x/hasOwnProperty',
    '/x/valueOf/name',
    `/${statusOf(type)}/length`,
    '/extension/length',
  ])('row 49: the inherited name in %s is missing: 422 processing', async (path) => {
    expectRefusal(await patch(replace(path, 0)), { status: 422, code: 'processing' });
    await expectUntouched();
  });

  test.each(['__proto__', 'constructor', 'prototype'])(
    'row 49: a value cannot hold the name %s',
    async (name) => {
      const answer = await patch(`[{"op":"replace","path":"/x","value":{"${name}":{"polluted":1}}}]`);
      expect(answer.status).toBe(400);
      expect(Object.keys(Object.prototype)).toEqual([]);
      await expectUntouched();
    },
  );
});
