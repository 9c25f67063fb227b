/** Rows 1 to 7 and 14 to 16 of docs/api-rows.md. Validation is in rows-content.test.ts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { expectRejection } from './testing/outcome.ts';
import {
  toPath,
  getOtherType,
  sample,
  store,
  text,
  types,
  unknownId,
  uuid,
  type Type,
} from './testing/records.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const post = (type: Type, body: string, headers?: Record<string, string>) =>
  server.send('POST', toPath(type), body, headers);

describe.each(types)('%s', (type) => {
  // Row 1 of docs/api-rows.md.
  test('returns 201 with Location, ETag, Last-Modified, id and meta for a create', async () => {
    const { status, headers, json } = await post(type, text(type));
    expect(status).toBe(201);
    expect(json.id).toMatch(uuid);
    expect(json.meta).toEqual({ versionId: '1', lastUpdated: expect.any(String) });
    expect(json).toEqual(sample(type, { id: json.id, meta: json.meta }));
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      location: `${server.origin}${toPath(type, json.id)}/_history/1`,
      etag: 'W/"1"',
      'last-modified': new Date(json.meta.lastUpdated).toUTCString(),
    });
  });

  // Row 2 of docs/api-rows.md.
  test.each([unknownId, 'mine', 'not/an id', 'x'.repeat(100)])(
    'replaces the id %j of the body with a new v4 UUID',
    async (id) => {
      const firstResponse = await post(type, text(type, { id }));
      const secondResponse = await post(type, text(type, { id }));
      expect([firstResponse.status, secondResponse.status]).toEqual([201, 201]);
      expect(firstResponse.json.id).toMatch(uuid);
      expect(firstResponse.json.id).not.toBe(id);
      expect(secondResponse.json.id).not.toBe(firstResponse.json.id);
    },
  );

  // Row 3 of docs/api-rows.md.
  test('overwrites versionId and lastUpdated, and preserves the rest of meta', async () => {
    const meta = {
      versionId: '77',
      lastUpdated: '1999-01-01T00:00:00Z',
      source: 'http://source.example',
      profile: ['http://profile.example'],
      security: [{ system: 'http://s.example', code: 'R' }],
      tag: [{ system: 'http://t.example', code: 't' }],
    };
    const before = Date.now();
    const { json } = await store(server, type, { meta });
    expect(json.meta).toEqual({ ...meta, versionId: '1', lastUpdated: expect.any(String) });
    expect(Date.parse(json.meta.lastUpdated)).toBeGreaterThanOrEqual(before);
  });

  // Row 4 of docs/api-rows.md.
  test.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['half an object', '{"resourceType":'],
    ['a trailing comma', `${text(type).slice(0, -1)},}`],
    ['a comment', `${text(type)}//`],
    ['two values', `${text(type)}{}`],
    ['single quotes', `{'resourceType':'${type}'}`],
    ['NaN', `${text(type).slice(0, -1)},"x":NaN}`],
    ['a second byte order mark', `\uFEFF\uFEFF${text(type)}`],
    ['half a surrogate pair', `${text(type).slice(0, -1)},"x":"\\ud800"}`],
    ['the name __proto__', `${text(type).slice(0, -1)},"__proto__":{"a":1}}`],
    ['an array', `[${text(type)}]`],
    ['a string', JSON.stringify(text(type))],
    ['a number', '1'],
    ['true', 'true'],
    ['null', 'null'],
  ])('returns 400 structure for %s', async (_, body) => {
    expectRejection(await post(type, body), { status: 400, code: 'structure' });
  });

  // Row 4 of docs/api-rows.md.
  test('reports line and column of malformed JSON', async () => {
    const answer = await post(type, '{\n  "resourceType": oops\n}');
    expectRejection(answer, { status: 400, code: 'structure', diagnostics: 'line 2, column 19' });
  });

  // Row 4 of docs/api-rows.md.
  test('returns 400 structure for bytes that are not UTF-8', async () => {
    const [head = '', tail = ''] = text(type, { language: 'HERE' }).split('HERE');
    const answer = await fetch(server.origin + toPath(type), {
      method: 'POST',
      headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' },
      body: Buffer.concat([Buffer.from(head), Buffer.from([0xc3, 0x28]), Buffer.from(tail)]),
    });
    const { issue } = (await answer.json()) as { issue: { code: string }[] };
    expect([answer.status, issue[0]?.code]).toEqual([400, 'structure']);
  });

  // Row 5 of docs/api-rows.md.
  test.each([
    ['missing', undefined],
    ['the other type', getOtherType(type)],
    ['of another case', type.toLowerCase()],
    ['a type that is not offered', 'Patient'],
    ['no string', 1],
  ])('returns 400 invalid for a resourceType that is %s', async (_, resourceType) => {
    expectRejection(await post(type, text(type, { resourceType })), { status: 400, code: 'invalid' });
  });

  // Row 6 of docs/api-rows.md.
  test.each([
    ['at the top', '"language":"nb","language":"nn"', ''],
    ['at the top, equal', '"language":"nb","language":"nb"', ''],
    ['spelled with an escape', '"language":"nb","l\\u0061nguage":"nn"', ''],
    ['deep', '"extension":[{"url":"a","valueCoding":{"code":"a","code":"b"}}]', '.extension[0].valueCoding'],
  ])('returns 400 structure for a duplicate property %s', async (_, members, expression) => {
    const answer = await post(type, `${text(type).slice(0, -1)},${members}}`);
    expectRejection(answer, { status: 400, code: 'structure', expression: `${type}${expression}` });
  });

  // Row 7 of docs/api-rows.md.
  test.each([
    ['null', { language: null }, '.language'],
    ['an empty string', { language: '' }, '.language'],
    ['an empty array', { category: [] }, '.category'],
    ['an empty object', { text: {} }, '.text'],
    ['a deep null', { category: [{ coding: [{ code: null }] }] }, '.category[0].coding[0].code'],
    ['an empty item', { extension: [{ url: 'a', valueCoding: {} }] }, '.extension[0].valueCoding'],
    ['null in an array', { extension: [null] }, '.extension[0]'],
    ['null in an unknown element', { x: { y: null } }, '.x.y'],
    ['an empty object in an unknown element', { x: [{}] }, '.x[0]'],
  ])('returns 400 structure at the element for %s', async (_, members, expression) => {
    const answer = await post(type, text(type, members));
    expectRejection(answer, { status: 400, code: 'structure', expression: `${type}${expression}` });
  });

  // Row 7 of docs/api-rows.md.
  test('stores null as padding next to an extended primitive', async () => {
    const members = { meta: { profile: ['http://a.example', null], _profile: [null, { id: 'b' }] } };
    expect((await post(type, text(type, members))).status).toBe(201);
  });

  // Row 7 of docs/api-rows.md.
  test('reports each empty value in a separate issue, up to 100', async () => {
    const extension = Array.from({ length: 150 }, () => ({ url: 'a', valueString: '' }));
    const few = await post(type, text(type, { extension: extension.slice(0, 3) }));
    expect(few.json.issue.map(({ expression }: { expression: string[] }) => expression[0])).toEqual(
      [0, 1, 2].map((index) => `${type}.extension[${index}].valueString`),
    );
    expect((await post(type, text(type, { extension }))).json.issue).toHaveLength(100);
  });

  // Row 6 of docs/api-rows.md.
  test('returns a small 400 structure for a property name of more than 128 characters', async () => {
    const empty = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, null]));
    const answer = await post(type, text(type, { ['x'.repeat(2_000_000)]: empty }));
    expectRejection(answer, { status: 400, code: 'structure', expression: type });
    expect(answer.text.length).toBeLessThan(50_000);
    expect((await post(type, text(type, { ['x'.repeat(128)]: 1 }))).status).toBe(201);
  });

  // Row 6 of docs/api-rows.md.
  test('reports the first 100 of 200,000 duplicate names', async () => {
    const twice = Array(200_000).fill('"a":1').join();
    const answer = await post(type, `{"resourceType":"${type}",\n${twice}}`);
    expect([answer.status, answer.json.issue.length]).toEqual([400, 100]);
  });

  // Row 13 of docs/api-rows.md.
  test('returns 100 issues for a stored record with 500 unknown elements', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1]));
    const creation = await post(type, text(type, unknown), { Prefer: 'return=OperationOutcome' });
    const validation = await server.send('POST', `${toPath(type)}/$validate`, text(type, unknown));
    expect([creation, validation].map(({ json }) => json.issue.length)).toEqual([100, 100]);
  });

  // Row 15 of docs/api-rows.md.
  test('creates a record if If-None-Exist has no match', async () => {
    const answer = await post(type, text(type), { 'If-None-Exist': 'subject=nobody-at-all' });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      201,
      `${server.origin}${toPath(type, answer.json.id)}/_history/1`,
    ]);
  });

  // Row 15 of docs/api-rows.md.
  test('returns 200 with Location and ETag of the only match of If-None-Exist', async () => {
    const reference = `Patient/once-${type}`;
    const existing = await store(server, type, { subject: { reference } });
    const secondCreate = await post(type, text(type, { subject: { reference }, language: 'nb' }), {
      'If-None-Exist': `subject=${reference}`,
    });
    expect([secondCreate.status, secondCreate.text]).toEqual([200, existing.text]);
    expect(secondCreate.headers.get('location')).toBe(`${server.origin}${existing.path}/_history/1`);
    expect(secondCreate.headers.get('etag')).toBe('W/"1"');
    const { json } = await server.send('GET', `${toPath(type)}?subject=${reference}`);
    expect(json.total).toBe(1);
  });

  // Row 15 of docs/api-rows.md.
  test('returns 412 multiple-matches if If-None-Exist has several matches', async () => {
    const reference = `Patient/twice-${type}`;
    await store(server, type, { subject: { reference } });
    await store(server, type, { subject: { reference } });
    const answer = await post(type, text(type), { 'If-None-Exist': `subject=${reference}` });
    expectRejection(answer, { status: 412, code: 'multiple-matches' });
    const { json } = await server.send('GET', `${toPath(type)}?subject=${reference}`);
    expect(json.total).toBe(2);
  });

  // Row 15 of docs/api-rows.md.
  test.each(['', '?', '_count=1', '_summary=count&_sort=_id'])(
    'returns 400 required for If-None-Exist without a criterion: "%s"',
    async (query) => {
      const answer = await post(type, text(type), { 'If-None-Exist': query });
      expectRejection(answer, { status: 400, code: 'required', location: 'http.If-None-Exist' });
    },
  );

  // Row 60 of docs/api-rows.md.
  test('rejects unknown parameters of a create and a $validate', async () => {
    for (const path of [toPath(type), `${toPath(type)}/$validate`]) {
      const answer = await server.send('POST', `${path}?colour=red`, text(type));
      expectRejection(answer, { status: 400, code: 'not-supported', location: 'http.colour' });
      const knownResponse = await server.send('POST', `${path}?_format=json`, text(type));
      expect(knownResponse.status).toBeLessThan(300);
    }
  });

  // Row 15 of docs/api-rows.md.
  test.each(['colour=red&subject=a', 'subject:loud=a'])(
    'returns 400 not-supported for If-None-Exist: %s',
    async (query) => {
      const answer = await post(type, text(type), { 'If-None-Exist': query });
      expectRejection(answer, { status: 400, code: 'not-supported' });
    },
  );
});

// Row 14 of docs/api-rows.md.
test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
  'returns 404 not-supported for %s of an unsupported type',
  async (method) => {
    for (const path of ['Patient', 'Patient/1', 'Bundle', 'careplan', 'CarePlans']) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : '{"resourceType":"Patient"}';
      const answer = await server.send(method, `/fhir-r4/v1/${path}`, body);
      expectRejection(answer, { status: 404, code: 'not-supported' });
    }
  },
);
