/** Rows 72 to 76 and 79 to 81 of docs/api-rows.md. Tests of rows 67 to 71 and 77 are in server/http. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { createRawClient, type RawClient } from './testing/ask.ts';
import { expectRejection } from './testing/outcome.ts';
import {
  toPath,
  replace,
  sample,
  store,
  text,
  types,
  unknownId,
  type StoredRecord,
} from './testing/records.ts';

let server: TestServer;
let rawClient: RawClient;
beforeAll(async () => {
  server = await startTestServer();
  rawClient = createRawClient(server);
});
afterAll(async () => {
  rawClient.close();
  await server.remove();
});

const json = { 'Content-Type': 'application/json' };
const typeMethods = 'GET, HEAD, POST, OPTIONS';
const instanceMethods = 'GET, HEAD, PUT, PATCH, OPTIONS';
const historyMethods = 'GET, HEAD, OPTIONS';

describe.each(types)('%s', (type) => {
  let record: StoredRecord;
  beforeEach(async () => {
    record = await store(server, type);
  });

  // Row 72 of docs/api-rows.md.
  test.each([
    ['', 'PUT PATCH DELETE', typeMethods],
    ['/ID', 'POST DELETE', instanceMethods],
    [`/${unknownId}`, 'POST DELETE', instanceMethods],
    ['/ID/_history', 'POST PUT PATCH DELETE', historyMethods],
    ['/_history', 'POST PUT PATCH DELETE', historyMethods],
    ['/ID/_history/1', 'POST PUT PATCH DELETE', historyMethods],
    ['/_search', 'GET HEAD PUT PATCH DELETE', 'POST, OPTIONS'],
    ['/$validate', 'GET HEAD PUT PATCH DELETE', 'POST, OPTIONS'],
  ])('returns 405 with Allow on %s for other methods (%s)', async (suffix, methods, allow) => {
    const path = toPath(type) + suffix.replace('ID', record.id);
    for (const method of methods.split(' ')) {
      const body = method === 'GET' || method === 'HEAD' ? undefined : text(type);
      const answer = await server.send(method, path, body);
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, allow]);
      if (method !== 'HEAD') expectRejection(answer, { status: 405, code: 'not-supported' });
    }
  });

  // Row 72 of docs/api-rows.md.
  test.each([
    ['', typeMethods],
    ['/ID', instanceMethods],
    ['/ID/_history', historyMethods],
    ['/ID/_history/1', historyMethods],
    ['/_history', historyMethods],
    ['/_search', 'POST, OPTIONS'],
  ])('returns 204 with Allow and Content-Type for OPTIONS of %s', async (suffix, allow) => {
    const { status, headers, text } = await server.send(
      'OPTIONS',
      toPath(type) + suffix.replace('ID', record.id),
    );
    expect([status, text, headers.get('allow')]).toEqual([204, '', allow]);
    expect(headers.get('content-type')).toContain('application/json');
  });

  // Row 73 of docs/api-rows.md.
  test.each([
    'application/json',
    'application/fhir+json',
    'application/json+fhir',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/fhir+json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/fhir+json; fhirVersion=4.0',
  ])('accepts the media type %s', async (contentType) => {
    const headers = { 'Content-Type': contentType };
    expect((await server.send('POST', toPath(type), text(type), headers)).status).toBe(201);
    expect((await server.send('PUT', record.path, text(type), headers)).status).toBe(200);
    const patch = replace('/language', 'nb');
    expect((await server.send('PATCH', record.path, patch, headers)).status).toBe(200);
  });

  // Row 73 of docs/api-rows.md.
  test('accepts application/json-patch+json for PATCH', async () => {
    const headers = { 'Content-Type': 'application/json-patch+json' };
    const { status } = await server.send('PATCH', record.path, replace('/language', 'nb'), headers);
    expect(status).toBe(200);
  });

  // Row 73 of docs/api-rows.md.
  test.each([
    'text/plain',
    'application/xml',
    'application/fhir+xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json-patch+json',
    'application/jsonx',
    'json',
    '',
  ])('returns 415 for the media type %j', async (contentType) => {
    const headers = { 'Content-Type': contentType };
    for (const [method, path] of [
      ['POST', toPath(type)],
      ['PUT', record.path],
    ] as const) {
      const answer = await server.send(method, path, text(type), headers);
      expectRejection(answer, { status: 415, code: 'not-supported', location: 'http.Content-Type' });
    }
  });

  // Row 73 of docs/api-rows.md.
  test('returns 415 for a body without Content-Type or with Content-Encoding', async () => {
    const post = (headers: Record<string, string>) =>
      rawClient.send({ method: 'POST', path: toPath(type), headers, body: text(type) });
    expect((await post({})).status).toBe(415);
    for (const encoding of ['gzip', 'deflate', 'br', 'x']) {
      expect([encoding, (await post({ ...json, 'Content-Encoding': encoding })).status]).toEqual([
        encoding,
        415,
      ]);
    }
  });

  // Row 74 of docs/api-rows.md.
  test.each([
    'application/json',
    'application/fhir+json',
    '*/*',
    'application/*',
    'text/html, application/json;q=0.1',
    'application/fhir+xml;q=1.0, application/fhir+json;q=1.0, application/xml+fhir;q=0.9, application/json+fhir;q=0.9',
    'application/fhir+json; fhirVersion=4.0',
    '',
  ])('returns JSON for Accept: %s', async (accept) => {
    const { status, headers } = await server.send('GET', record.path, undefined, { Accept: accept });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  });

  // Row 74 of docs/api-rows.md.
  test.each([
    'text/html',
    'application/fhir+xml',
    'application/xml, text/xml',
    'image/*',
    'application/json;q=0',
    'nonsense',
  ])('returns 406 and stores nothing for Accept: %s', async (accept) => {
    const reference = `Patient/${encodeURIComponent(accept).replaceAll('%', '')}`;
    for (const [method, path] of [
      ['GET', record.path],
      ['GET', `${toPath(type)}?subject=a`],
      ['POST', toPath(type)],
    ] as const) {
      const body = method === 'POST' ? text(type, { subject: { reference } }) : undefined;
      const answer = await server.send(method, path, body, { Accept: accept });
      expectRejection(answer, { status: 406, code: 'not-supported', location: 'http.Accept' });
    }
    expect((await server.send('GET', `${toPath(type)}?subject=${reference}`)).json.total).toBe(0);
  });

  // Row 74 of docs/api-rows.md.
  test.each(['json', 'application/json', 'application/fhir+json', 'application/fhir%2Bjson'])(
    'accepts _format=%s, also with another Accept',
    async (format) => {
      for (const path of [
        `${record.path}?_format=${format}`,
        `${toPath(type)}?subject=a&_format=${format}`,
      ]) {
        const { status } = await server.send('GET', path, undefined, { Accept: 'text/html' });
        expect([path, status]).toEqual([path, 200]);
      }
    },
  );

  // Row 74 of docs/api-rows.md.
  test.each(['xml', 'html', 'text/turtle', 'application/fhir%2Bxml', 'nonsense'])(
    'returns 406 for _format=%s',
    async (format) => {
      for (const path of [
        `${record.path}?_format=${format}`,
        `${toPath(type)}?subject=a&_format=${format}`,
      ]) {
        expectRejection(await server.send('GET', path), { status: 406, code: 'not-supported' });
      }
    },
  );

  // Row 76 of docs/api-rows.md.
  test('stores 64 levels, and returns 400 too-long for 65 and more', async () => {
    const deep = (levels: number) =>
      `${text(type).slice(0, -1)},"x":${'['.repeat(levels - 1)}1${']'.repeat(levels - 1)}}`;
    expect((await server.send('POST', toPath(type), deep(64))).status).toBe(201);
    for (const levels of [65, 3000, 200_000]) {
      expectRejection(await server.send('POST', toPath(type), deep(levels)), {
        status: 400,
        code: 'too-long',
      });
      expectRejection(await server.send('PUT', record.path, deep(levels)), { status: 400, code: 'too-long' });
    }
  });

  // Row 76 of docs/api-rows.md.
  test('rejects a patch that nests a record deeper than 64 levels', async () => {
    const body = `[{"op":"replace","path":"/language","value":${'['.repeat(62)}1${']'.repeat(62)}}]`;
    const answer = await server.send('PATCH', record.path, body);
    expect([400, 422]).toContain(answer.status);
    const deep = await store(server, type, { x: { y: 1 } });
    const value = `${'['.repeat(62)}1${']'.repeat(62)}`;
    const replaceWithNested = (path: string) => `[{"op":"replace","path":"${path}","value":${value}}]`;
    expect((await server.send('PATCH', deep.path, replaceWithNested('/x'))).status).toBe(200);
    const nestedTwice = await server.send('PATCH', deep.path, replaceWithNested(`/x${'/0'.repeat(61)}`));
    expect([400, 422]).toContain(nestedTwice.status);
    expect(nestedTwice.json.issue[0].code).toBe('too-long');
    expect((await server.send('GET', deep.path)).status).toBe(200);
  });

  // Row 76 of docs/api-rows.md.
  test('accepts 500 operations, and returns 413 too-long for 501', async () => {
    const operations = (count: number) =>
      JSON.stringify(
        Array.from({ length: count }, () => ({ op: 'replace', path: '/language', value: 'nb' })),
      );
    expect((await server.send('PATCH', record.path, operations(500))).status).toBe(200);
    const answer = await server.send('PATCH', record.path, operations(501));
    expectRejection(answer, { status: 413, code: 'too-long' });
  });

  // Row 79 of docs/api-rows.md.
  test.each([type.toLowerCase(), type.toUpperCase(), `${type}s`])(
    'returns 404 for a type in another case: %s',
    async (name) => {
      const answer = await server.send('GET', `/fhir-r4/v1/${name}/${record.id}`);
      expectRejection(answer, { status: 404, code: 'not-supported' });
    },
  );

  // Row 79 of docs/api-rows.md.
  test('accepts a trailing slash', async () => {
    expect((await server.send('GET', `${record.path}/`)).text).toBe(record.text);
    expect((await server.send('GET', `${toPath(type)}/?subject=a`)).status).toBe(200);
    expect((await server.send('POST', `${toPath(type)}/`, text(type))).status).toBe(201);
    const deletion = await server.send('DELETE', `${record.path}/`);
    expect([deletion.status, deletion.headers.get('allow')]).toEqual([405, instanceMethods]);
  });

  // Row 81 of docs/api-rows.md.
  test.each(['4.0', '4.0.1'])('accepts FHIR version %s', async (version) => {
    const fhir = `application/fhir+json; fhirVersion=${version}`;
    const headers = { Accept: fhir, 'Content-Type': fhir };
    expect((await server.send('POST', toPath(type), text(type), headers)).status).toBe(201);
  });

  // Row 81 of docs/api-rows.md.
  test.each(['1.0', '3.0', '4.3', '5.0', 'x'])(
    'returns 406 for FHIR version %s in Accept and 415 in Content-Type',
    async (version) => {
      const fhir = `application/fhir+json; fhirVersion=${version}`;
      const wrongAccept = await server.send('GET', record.path, undefined, { Accept: fhir });
      expectRejection(wrongAccept, { status: 406, code: 'not-supported', location: 'http.Accept' });
      const wrongType = await server.send('PUT', record.path, JSON.stringify(sample(type)), {
        'Content-Type': fhir,
      });
      expectRejection(wrongType, { status: 415, code: 'not-supported', location: 'http.Content-Type' });
    },
  );
});
