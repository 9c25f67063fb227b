/** Rows 25 to 35 of the specification: replacing a record, and the conditions on it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { expectRefusal } from './testing/outcome.ts';
import {
  at,
  otherThan,
  replace,
  sample,
  statusOf,
  store,
  text,
  types,
  unknownId,
  type Stored,
} from './testing/records.ts';

let server: TestServer;
let strict: TestServer;
let careful: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  strict = await startTestServer({ validation: 'strict' });
  careful = await startTestServer({ requireIfMatch: true });
});
afterAll(async () => {
  for (const one of [server, strict, careful]) await one.remove();
});

const put = (path: string, body: string, headers?: Record<string, string>) =>
  server.send('PUT', path, body, headers);

const subsetted = {
  tag: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'SUBSETTED' }],
};

describe.each(types)('%s', (type) => {
  let record: Stored;
  /** A change of the record, with the id that it has. */
  const change = (members: Json = { language: 'nn' }) => text(type, { id: record.id, ...members });
  beforeEach(async () => {
    record = await store(server, type, { language: 'nb' });
  });

  test('row 25: update is 200 with the payload as sent, its id and new meta', async () => {
    const { status, headers, json, text } = await put(record.path, change());
    expect([status, headers.get('etag')]).toEqual([200, 'W/"2"']);
    expect(json).toEqual(sample(type, { language: 'nn', id: record.id, meta: json.meta }));
    expect(json.meta).toEqual({ versionId: '2', lastUpdated: expect.any(String) });
    expect(headers.get('last-modified')).toBe(new Date(json.meta.lastUpdated).toUTCString());
    expect((await server.send('GET', record.path)).text).toBe(text);
  });

  test('row 25: update replaces the whole record, the rest of meta included', async () => {
    await put(record.path, change({ meta: { source: 'http://source.example' } }));
    const { json } = await put(record.path, change({ language: undefined }));
    expect([json.language, Object.keys(json.meta)]).toEqual([undefined, ['versionId', 'lastUpdated']]);
  });

  test.each([unknownId, 'x', 'not/an id'])('row 26: the body id %j is 400 value at the id', async (id) => {
    const answer = await put(record.path, change({ id }));
    expectRefusal(answer, { status: 400, code: 'value', expression: `${type}.id` });
  });

  test('row 27: a body without id takes the id of the address', async () => {
    const { status, json } = await put(record.path, text(type, { language: 'nn' }));
    expect([status, json.id, json.language]).toEqual([200, record.id, 'nn']);
  });

  test('row 27: at strict a body without id is 400 required', async () => {
    const { path, json } = await store(strict, type);
    const answer = await strict.send('PUT', path, text(type, { language: 'nn' }));
    expectRefusal(answer, { status: 400, code: 'required', expression: type });
    const good = await strict.send('PUT', path, text(type, { id: json.id, language: 'nn' }));
    expect(good.status).toBe(200);
  });

  test.each([otherThan(type), 'Patient', undefined])(
    'row 28: the resourceType %s is 400 invalid',
    async (resourceType) => {
      expectRefusal(await put(record.path, change({ resourceType })), { status: 400, code: 'invalid' });
    },
  );

  test.each([unknownId, 'mine'])('row 29: the unknown id %s is 404, nothing is created', async (id) => {
    const answer = await put(at(type, id), text(type, { id }));
    const issue = expectRefusal(answer, { status: 404, code: 'not-found' });
    expect(issue.details.text).toMatch(/POST assigns IDs/);
    expect((await server.send('GET', at(type, id))).status).toBe(404);
  });

  test('row 30: a stale If-Match is 412 conflict with the current version and ETag', async () => {
    await put(record.path, change());
    const answer = await put(record.path, change({ language: 'se' }), { 'If-Match': 'W/"1"' });
    expectRefusal(answer, {
      status: 412,
      code: 'conflict',
      location: 'http.If-Match',
      diagnostics: '2',
    });
    expect(answer.headers.get('etag')).toBe('W/"2"');
    expect((await server.send('GET', record.path)).json.language).toBe('nn');
  });

  test.each([
    'W/"1"',
    '"1"',
    'W/"8", W/"1"',
    '"1","2"',
    ',"1", ,',
    '*',
    'W/"1-gzip"',
    '"1--gzip"',
    '"9", W/"1-br"',
    '"1-deflate"',
    'W/"1-zstd"',
  ])('row 31: If-Match: %s passes', async (tags) => {
    expect((await put(record.path, change(), { 'If-Match': tags })).status).toBe(200);
  });

  test.each([
    '1',
    'W/1',
    'W/"1',
    '""',
    'W/"x"',
    'w/"1"',
    '"1" "2"',
    'W/"1",x',
    '"01"',
    ',',
    '"1-lzma"',
    '"1gzip"',
  ])('row 31: If-Match: %s is 400 value', async (tags) => {
    const answer = await put(record.path, change(), { 'If-Match': tags });
    expectRefusal(answer, { status: 400, code: 'value', location: 'http.If-Match' });
  });

  test.each([
    ['If-None-Match', '*', 412],
    ['If-None-Match', 'W/"9", "1"', 412],
    ['If-None-Match', 'W/"9"', 200],
    ['If-Unmodified-Since', 'Sun, 06 Nov 1994 08:49:37 GMT', 412],
    ['If-Unmodified-Since', 'Sat, 06 Nov 2094 08:49:37 GMT', 200],
    ['If-Unmodified-Since', 'yesterday', 200],
  ])('row 30: %s: %s is a condition of an update and a patch too: %i', async (name, value, status) => {
    const sent = [
      ['PUT', change()],
      ['PATCH', replace('/language', 'nn')],
    ] as const;
    for (const [method, body] of sent) {
      const { path, id } = await store(server, type);
      const answer = await server.send(method, path, body.replace(record.json.id, id), { [name]: value });
      expect([answer.status, answer.headers.get('etag')]).toEqual([
        status,
        status === 412 ? 'W/"1"' : 'W/"2"',
      ]);
      if (status === 412) expectRefusal(answer, { status, code: 'conflict', location: `http.${name}` });
    }
  });

  test('row 60: an update and a patch take no parameter that they do not know', async () => {
    for (const [method, body] of [
      ['PUT', change()],
      ['PATCH', replace('/language', 'nn')],
    ] as const) {
      const answer = await server.send(method, `${record.path}?colour=red`, body);
      expectRefusal(answer, { status: 400, code: 'not-supported', location: 'http.colour' });
      expect((await server.send('GET', record.path)).text).toBe(record.text);
    }
    const lenient = { Prefer: 'handling=lenient' };
    expect((await server.send('PUT', `${record.path}?colour=red`, change(), lenient)).status).toBe(200);
  });

  test('row 32: without If-Match an update passes, unless the server requires it', async () => {
    expect((await put(record.path, change())).status).toBe(200);
    const { path, id } = await store(careful, type);
    for (const [method, body] of [
      ['PUT', text(type, { id, language: 'nn' })],
      ['PATCH', replace('/language', 'nn')],
    ] as const) {
      const answer = await careful.send(method, path, body);
      expectRefusal(answer, { status: 400, code: 'required', location: 'http.If-Match' });
    }
    const headers = { 'If-Match': 'W/"1"' };
    const named = await careful.send('PUT', path, text(type, { id, language: 'nn' }), headers);
    expect(named.status).toBe(200);
  });

  test.each([
    ['as it was read', () => record.text],
    ['without meta', () => change({ language: 'nb' })],
    ['with white space', () => JSON.stringify(JSON.parse(record.text), undefined, 4)],
    ['with another meta.versionId', () => record.text.replace('"versionId":"1"', '"versionId":"9"')],
    ['in another order', () => JSON.stringify(Object.fromEntries(Object.entries(record.json).reverse()))],
  ])('row 33: content that is identical, sent %s, makes no version', async (_, body) => {
    const { status, headers, text } = await put(record.path, body());
    expect([status, headers.get('etag'), text]).toEqual([200, 'W/"1"', record.text]);
    expect((await server.send('GET', `${record.path}/_history`)).json.total).toBe(1);
  });

  test.each(['', '?subject=sample', '?_id=x'])('row 34: PUT on the type%s is 405', async (query) => {
    const answer = await put(at(type) + query, text(type));
    expectRefusal(answer, { status: 405, code: 'not-supported' });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  test('rows 16 and 35: a body tagged SUBSETTED is 422 business-rule at the tag', async () => {
    const expression = `${type}.meta.tag`;
    const answer = await put(record.path, change({ meta: subsetted }));
    expectRefusal(answer, { status: 422, code: 'business-rule', expression });
    const patched = await server.send('PATCH', record.path, replace('/meta', subsetted));
    expectRefusal(patched, { status: 422, code: 'business-rule', expression });
    expect((await server.send('GET', record.path)).text).toBe(record.text);
  });

  test('row 35: a record taken from a search for _elements cannot overwrite the whole', async () => {
    const { json } = await server.send(
      'GET',
      `${at(type)}?_id=${record.id}&subject=sample&_elements=subject`,
    );
    const part = json.entry[0].resource;
    expect(part.language).toBeUndefined();
    const answer = await put(record.path, JSON.stringify(part));
    expectRefusal(answer, { status: 422, code: 'business-rule' });
  });

  test('an update that is refused leaves record and history as they were', async () => {
    for (const members of [{ [statusOf(type)]: 'wrong' }, { language: '' }, { id: unknownId }]) {
      expect((await put(record.path, change(members))).status).toBe(400);
    }
    expect((await server.send('GET', record.path)).text).toBe(record.text);
    expect((await server.send('GET', `${record.path}/_history`)).json.total).toBe(1);
  });
});
