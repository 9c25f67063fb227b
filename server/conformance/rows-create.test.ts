/** Rows 1 to 7 and 14 to 16 of the specification; what a validator finds is in rows-content.test.ts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { expectRefusal } from './testing/outcome.ts';
import { at, otherThan, sample, store, text, types, unknownId, uuid, type Type } from './testing/records.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const post = (type: Type, body: string, headers?: Record<string, string>) =>
  server.send('POST', at(type), body, headers);

describe.each(types)('%s', (type) => {
  test('row 1: create is 201 with Location, ETag, Last-Modified, id and meta', async () => {
    const { status, headers, json } = await post(type, text(type));
    expect(status).toBe(201);
    expect(json.id).toMatch(uuid);
    expect(json.meta).toEqual({ versionId: '1', lastUpdated: expect.any(String) });
    expect(json).toEqual(sample(type, { id: json.id, meta: json.meta }));
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      location: `${server.origin}${at(type, json.id)}/_history/1`,
      etag: 'W/"1"',
      'last-modified': new Date(json.meta.lastUpdated).toUTCString(),
    });
  });

  test.each([unknownId, 'mine', 'not/an id', 'x'.repeat(100)])(
    'row 2: the id %j in the body is ignored for a new v4 UUID',
    async (id) => {
      const first = await post(type, text(type, { id }));
      const second = await post(type, text(type, { id }));
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(first.json.id).toMatch(uuid);
      expect(first.json.id).not.toBe(id);
      expect(second.json.id).not.toBe(first.json.id);
    },
  );

  test('row 3: versionId and lastUpdated are overwritten, the rest of meta is kept', async () => {
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
    ['an array', `[${text(type)}]`],
    ['a string', JSON.stringify(text(type))],
    ['a number', '1'],
    ['true', 'true'],
    ['null', 'null'],
  ])('row 4: %s is 400 structure', async (_, body) => {
    expectRefusal(await post(type, body), { status: 400, code: 'structure' });
  });

  test('row 4: the diagnostics of malformed JSON tell line and column', async () => {
    const answer = await post(type, '{\n  "resourceType": oops\n}');
    expectRefusal(answer, { status: 400, code: 'structure', diagnostics: 'line 2, column 19' });
  });

  test('row 4: bytes that are not UTF-8 are 400 structure', async () => {
    const [head = '', tail = ''] = text(type, { language: 'HERE' }).split('HERE');
    const answer = await fetch(server.origin + at(type), {
      method: 'POST',
      headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' },
      body: Buffer.concat([Buffer.from(head), Buffer.from([0xc3, 0x28]), Buffer.from(tail)]),
    });
    const { issue } = (await answer.json()) as { issue: { code: string }[] };
    expect([answer.status, issue[0]?.code]).toEqual([400, 'structure']);
  });

  test.each([
    ['missing', undefined],
    ['the other type', otherThan(type)],
    ['of another case', type.toLowerCase()],
    ['a type that is not offered', 'Patient'],
    ['no string', 1],
  ])('row 5: a resourceType that is %s is 400 invalid', async (_, resourceType) => {
    expectRefusal(await post(type, text(type, { resourceType })), { status: 400, code: 'invalid' });
  });

  test.each([
    ['at the top', '"language":"nb","language":"nn"', ''],
    ['at the top, equal', '"language":"nb","language":"nb"', ''],
    ['spelled with an escape', '"language":"nb","l\\u0061nguage":"nn"', ''],
    ['deep', '"extension":[{"url":"a","valueCoding":{"code":"a","code":"b"}}]', '.extension[0].valueCoding'],
  ])('row 6: a property that stands twice %s is 400 structure', async (_, members, expression) => {
    const answer = await post(type, `${text(type).slice(0, -1)},${members}}`);
    expectRefusal(answer, { status: 400, code: 'structure', expression: `${type}${expression}` });
  });

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
  ])('row 7: %s is 400 structure at the element', async (_, members, expression) => {
    const answer = await post(type, text(type, members));
    expectRefusal(answer, { status: 400, code: 'structure', expression: `${type}${expression}` });
  });

  test('row 7: each empty value has an issue of its own, at most 100', async () => {
    const extension = Array.from({ length: 150 }, () => ({ url: 'a', valueString: '' }));
    const few = await post(type, text(type, { extension: extension.slice(0, 3) }));
    expect(few.json.issue.map(({ expression }: { expression: string[] }) => expression[0])).toEqual(
      [0, 1, 2].map((index) => `${type}.extension[${index}].valueString`),
    );
    expect((await post(type, text(type, { extension }))).json.issue).toHaveLength(100);
  });

  test('row 6: a property name of more than 128 characters is 400 structure, its outcome no larger than others', async () => {
    const empty = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, null]));
    const answer = await post(type, text(type, { ['x'.repeat(2_000_000)]: empty }));
    expectRefusal(answer, { status: 400, code: 'structure', expression: type });
    expect(answer.text.length).toBeLessThan(50_000);
    expect((await post(type, text(type, { ['x'.repeat(128)]: 1 }))).status).toBe(201);
  });

  test('row 6: of 200,000 duplicate names the first 100 are told, at once', async () => {
    const twice = Array(200_000).fill('"a":1').join();
    const answer = await post(type, `{"resourceType":"${type}",\n${twice}}`);
    expect([answer.status, answer.json.issue.length]).toEqual([400, 100]);
  });

  test('row 13: the outcome of a record that is stored with many gaps has 100 issues', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1]));
    const stored = await post(type, text(type, unknown), { Prefer: 'return=OperationOutcome' });
    const judged = await server.send('POST', `${at(type)}/$validate`, text(type, unknown));
    expect([stored, judged].map(({ json }) => json.issue.length)).toEqual([100, 100]);
  });

  test('row 15: If-None-Exist creates when nothing matches', async () => {
    const answer = await post(type, text(type), { 'If-None-Exist': 'subject=nobody-at-all' });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      201,
      `${server.origin}${at(type, answer.json.id)}/_history/1`,
    ]);
  });

  test('row 15: If-None-Exist answers the one match with 200, its Location and ETag', async () => {
    const reference = `Patient/once-${type}`;
    const first = await store(server, type, { subject: { reference } });
    const again = await post(type, text(type, { subject: { reference }, language: 'nb' }), {
      'If-None-Exist': `subject=${reference}`,
    });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('location')).toBe(`${server.origin}${first.path}/_history/1`);
    expect(again.headers.get('etag')).toBe('W/"1"');
    const { json } = await server.send('GET', `${at(type)}?subject=${reference}`);
    expect(json.total).toBe(1);
  });

  test('row 15: If-None-Exist with several matches is 412 multiple-matches', async () => {
    const reference = `Patient/twice-${type}`;
    await store(server, type, { subject: { reference } });
    await store(server, type, { subject: { reference } });
    const answer = await post(type, text(type), { 'If-None-Exist': `subject=${reference}` });
    expectRefusal(answer, { status: 412, code: 'multiple-matches' });
    const { json } = await server.send('GET', `${at(type)}?subject=${reference}`);
    expect(json.total).toBe(2);
  });

  test.each(['', '?', '_count=1', '_summary=count&_sort=_id'])(
    'row 15: If-None-Exist: "%s" names nothing and is 400 required: no record stands in that was not meant',
    async (query) => {
      const answer = await post(type, text(type), { 'If-None-Exist': query });
      expectRefusal(answer, { status: 400, code: 'required', location: 'http.If-None-Exist' });
    },
  );

  test('row 60: a create and a $validate take no parameter that they do not know', async () => {
    for (const path of [at(type), `${at(type)}/$validate`]) {
      const answer = await server.send('POST', `${path}?colour=red`, text(type));
      expectRefusal(answer, { status: 400, code: 'not-supported', location: 'http.colour' });
      const known = await server.send('POST', `${path}?_format=json`, text(type));
      expect(known.status).toBeLessThan(300);
    }
  });

  test.each(['colour=red&subject=a', 'subject:loud=a'])(
    'row 15: If-None-Exist: %s is not ignored but 400 not-supported',
    async (query) => {
      const answer = await post(type, text(type), { 'If-None-Exist': query });
      expectRefusal(answer, { status: 400, code: 'not-supported' });
    },
  );
});

test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
  'row 14: %s of a type that is not offered is 404 not-supported',
  async (method) => {
    for (const path of ['Patient', 'Patient/1', 'Bundle', 'careplan', 'CarePlans']) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : '{"resourceType":"Patient"}';
      const answer = await server.send(method, `/fhir-r4/v1/${path}`, body);
      expectRefusal(answer, { status: 404, code: 'not-supported' });
    }
  },
);
