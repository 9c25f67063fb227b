/** Rows 25 to 35 of docs/api-rows.md: replacing a record, and conditions. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { expectRejection } from './testing/outcome.ts';
import {
  toPath,
  getOtherType,
  replace,
  sample,
  statusOf,
  store,
  text,
  types,
  unknownId,
  type StoredRecord,
} from './testing/records.ts';

let server: TestServer;
let strict: TestServer;
let serverRequiringIfMatch: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  strict = await startTestServer({ validation: 'strict' });
  serverRequiringIfMatch = await startTestServer({ requireIfMatch: true });
});
afterAll(async () => {
  for (const testServer of [server, strict, serverRequiringIfMatch]) await testServer.remove();
});

const update = (path: string, body: string, headers?: Record<string, string>) =>
  server.send('PUT', path, body, headers);

const subsetted = {
  tag: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'SUBSETTED' }],
};

describe.each(types)('%s', (type) => {
  let record: StoredRecord;
  /** Returns a changed text of the record with its ID. */
  const changedText = (members: Json = { language: 'nn' }) => text(type, { id: record.id, ...members });
  beforeEach(async () => {
    record = await store(server, type, { language: 'nb' });
  });

  // Row 25 of docs/api-rows.md.
  test('returns 200 with the sent record, its id and new meta for an update', async () => {
    const { status, headers, json, text } = await update(record.path, changedText());
    expect([status, headers.get('etag')]).toEqual([200, 'W/"2"']);
    expect(json).toEqual(sample(type, { language: 'nn', id: record.id, meta: json.meta }));
    expect(json.meta).toEqual({ versionId: '2', lastUpdated: expect.any(String) });
    expect(headers.get('last-modified')).toBe(new Date(json.meta.lastUpdated).toUTCString());
    expect((await server.send('GET', record.path)).text).toBe(text);
  });

  // Row 25 of docs/api-rows.md.
  test('replaces the whole record, including the rest of meta', async () => {
    await update(record.path, changedText({ meta: { source: 'http://source.example' } }));
    const { json } = await update(record.path, changedText({ language: undefined }));
    expect([json.language, Object.keys(json.meta)]).toEqual([undefined, ['versionId', 'lastUpdated']]);
  });

  // Row 26 of docs/api-rows.md.
  test.each([unknownId, 'x', 'not/an id'])('returns 400 value at the id for the body id %j', async (id) => {
    const answer = await update(record.path, changedText({ id }));
    expectRejection(answer, { status: 400, code: 'value', expression: `${type}.id` });
  });

  // Row 27 of docs/api-rows.md.
  test('uses the id of the URL for a body without id', async () => {
    const { status, json } = await update(record.path, text(type, { language: 'nn' }));
    expect([status, json.id, json.language]).toEqual([200, record.id, 'nn']);
  });

  // Row 27 of docs/api-rows.md.
  test('returns 400 required for a body without id at strict', async () => {
    const { path, json } = await store(strict, type);
    const answer = await strict.send('PUT', path, text(type, { language: 'nn' }));
    expectRejection(answer, { status: 400, code: 'required', expression: type });
    const good = await strict.send('PUT', path, text(type, { id: json.id, language: 'nn' }));
    expect(good.status).toBe(200);
  });

  // Row 28 of docs/api-rows.md.
  test.each([getOtherType(type), 'Patient', undefined])(
    'returns 400 invalid for the resourceType %s',
    async (resourceType) => {
      expectRejection(await update(record.path, changedText({ resourceType })), {
        status: 400,
        code: 'invalid',
      });
    },
  );

  // Row 29 of docs/api-rows.md.
  test.each([unknownId, 'mine'])('returns 404 for the unknown id %s and creates nothing', async (id) => {
    const answer = await update(toPath(type, id), text(type, { id }));
    const issue = expectRejection(answer, { status: 404, code: 'not-found' });
    expect(issue.details.text).toMatch(/POST assigns IDs/);
    expect((await server.send('GET', toPath(type, id))).status).toBe(404);
  });

  // Row 30 of docs/api-rows.md.
  test('returns 412 conflict with version and ETag for a stale If-Match', async () => {
    await update(record.path, changedText());
    const answer = await update(record.path, changedText({ language: 'se' }), { 'If-Match': 'W/"1"' });
    expectRejection(answer, {
      status: 412,
      code: 'conflict',
      location: 'http.If-Match',
      diagnostics: '2',
    });
    expect(answer.headers.get('etag')).toBe('W/"2"');
    expect((await server.send('GET', record.path)).json.language).toBe('nn');
  });

  // Row 31 of docs/api-rows.md.
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
  ])('accepts If-Match: %s', async (tags) => {
    expect((await update(record.path, changedText(), { 'If-Match': tags })).status).toBe(200);
  });

  // Row 31 of docs/api-rows.md.
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
  ])('returns 400 value for If-Match: %s', async (tags) => {
    const answer = await update(record.path, changedText(), { 'If-Match': tags });
    expectRejection(answer, { status: 400, code: 'value', location: 'http.If-Match' });
  });

  // Row 30 of docs/api-rows.md.
  test.each([
    ['If-None-Match', '*', 412],
    ['If-None-Match', 'W/"9", "1"', 412],
    ['If-None-Match', 'W/"9"', 200],
    ['If-Unmodified-Since', 'Sun, 06 Nov 1994 08:49:37 GMT', 412],
    ['If-Unmodified-Since', 'Sat, 06 Nov 2094 08:49:37 GMT', 200],
    ['If-Unmodified-Since', 'yesterday', 200],
  ])('applies %s: %s to an update and a patch: %i', async (name, value, status) => {
    const requests = [
      ['PUT', changedText()],
      ['PATCH', replace('/language', 'nn')],
    ] as const;
    for (const [method, body] of requests) {
      const { path, id } = await store(server, type);
      const answer = await server.send(method, path, body.replace(record.json.id, id), { [name]: value });
      expect([answer.status, answer.headers.get('etag')]).toEqual([
        status,
        status === 412 ? 'W/"1"' : 'W/"2"',
      ]);
      if (status === 412) expectRejection(answer, { status, code: 'conflict', location: `http.${name}` });
    }
  });

  // Row 60 of docs/api-rows.md.
  test('rejects unknown parameters of an update and a patch', async () => {
    for (const [method, body] of [
      ['PUT', changedText()],
      ['PATCH', replace('/language', 'nn')],
    ] as const) {
      const answer = await server.send(method, `${record.path}?colour=red`, body);
      expectRejection(answer, { status: 400, code: 'not-supported', location: 'http.colour' });
      expect((await server.send('GET', record.path)).text).toBe(record.text);
    }
    const lenient = { Prefer: 'handling=lenient' };
    expect((await server.send('PUT', `${record.path}?colour=red`, changedText(), lenient)).status).toBe(200);
  });

  // Row 32 of docs/api-rows.md.
  test('accepts an update without If-Match unless the server requires it', async () => {
    expect((await update(record.path, changedText())).status).toBe(200);
    const { path, id } = await store(serverRequiringIfMatch, type);
    for (const [method, body] of [
      ['PUT', text(type, { id, language: 'nn' })],
      ['PATCH', replace('/language', 'nn')],
    ] as const) {
      const answer = await serverRequiringIfMatch.send(method, path, body);
      expectRejection(answer, { status: 400, code: 'required', location: 'http.If-Match' });
    }
    const headers = { 'If-Match': 'W/"1"' };
    const conditionalUpdate = await serverRequiringIfMatch.send(
      'PUT',
      path,
      text(type, { id, language: 'nn' }),
      headers,
    );
    expect(conditionalUpdate.status).toBe(200);
  });

  // Row 33 of docs/api-rows.md.
  test.each([
    ['as it was read', () => record.text],
    ['without meta', () => changedText({ language: 'nb' })],
    ['with white space', () => JSON.stringify(JSON.parse(record.text), undefined, 4)],
    ['with another meta.versionId', () => record.text.replace('"versionId":"1"', '"versionId":"9"')],
    ['in another order', () => JSON.stringify(Object.fromEntries(Object.entries(record.json).reverse()))],
  ])('creates no version for identical content sent %s', async (_, body) => {
    const { status, headers, text } = await update(record.path, body());
    expect([status, headers.get('etag'), text]).toEqual([200, 'W/"1"', record.text]);
    expect((await server.send('GET', `${record.path}/_history`)).json.total).toBe(1);
  });

  // Row 34 of docs/api-rows.md.
  test.each(['', '?subject=sample', '?_id=x'])('returns 405 for PUT on the type%s', async (query) => {
    const answer = await update(toPath(type) + query, text(type));
    expectRejection(answer, { status: 405, code: 'not-supported' });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  // Rows 16 and 35 of docs/api-rows.md.
  test('returns 422 business-rule at the tag for a body tagged SUBSETTED', async () => {
    const expression = `${type}.meta.tag`;
    const answer = await update(record.path, changedText({ meta: subsetted }));
    expectRejection(answer, { status: 422, code: 'business-rule', expression });
    const patched = await server.send('PATCH', record.path, replace('/meta', subsetted));
    expectRejection(patched, { status: 422, code: 'business-rule', expression });
    expect((await server.send('GET', record.path)).text).toBe(record.text);
  });

  // Row 35 of docs/api-rows.md.
  test('rejects an update with a record from a search with _elements', async () => {
    const { json } = await server.send(
      'GET',
      `${toPath(type)}?_id=${record.id}&subject=sample&_elements=subject`,
    );
    const part = json.entry[0].resource;
    expect(part.language).toBeUndefined();
    const answer = await update(record.path, JSON.stringify(part));
    expectRejection(answer, { status: 422, code: 'business-rule' });
  });

  test('leaves record and history unchanged after a rejected update', async () => {
    for (const members of [{ [statusOf(type)]: 'wrong' }, { language: '' }, { id: unknownId }]) {
      expect((await update(record.path, changedText(members))).status).toBe(400);
    }
    expect((await server.send('GET', record.path)).text).toBe(record.text);
    expect((await server.send('GET', `${record.path}/_history`)).json.total).toBe(1);
  });
});
