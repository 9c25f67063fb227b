/** Rows 72 to 76 and 79 to 81 of the specification; 67 to 71 and 77 have their tests beside server/http. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { asker, type Asker } from './testing/ask.ts';
import { expectRefusal } from './testing/outcome.ts';
import { at, replace, sample, store, text, types, unknownId, type Stored } from './testing/records.ts';

let server: TestServer;
let below: Asker;
beforeAll(async () => {
  server = await startTestServer();
  below = asker(server);
});
afterAll(async () => {
  below.close();
  await server.remove();
});

const json = { 'Content-Type': 'application/json' };
const atType = 'GET, HEAD, POST, OPTIONS';
const atId = 'GET, HEAD, PUT, PATCH, OPTIONS';
const atHistory = 'GET, HEAD, OPTIONS';

describe.each(types)('%s', (type) => {
  let record: Stored;
  beforeEach(async () => {
    record = await store(server, type);
  });

  test.each([
    ['', 'PUT PATCH DELETE', atType],
    ['/ID', 'POST DELETE', atId],
    [`/${unknownId}`, 'POST DELETE', atId],
    ['/ID/_history', 'POST PUT PATCH DELETE', atHistory],
    ['/_history', 'POST PUT PATCH DELETE', atHistory],
    ['/ID/_history/1', 'POST PUT PATCH DELETE', atHistory],
    ['/_search', 'GET HEAD PUT PATCH DELETE', 'POST, OPTIONS'],
    ['/$validate', 'GET HEAD PUT PATCH DELETE', 'POST, OPTIONS'],
  ])('row 72: %s answers other methods (%s) with 405 and Allow', async (below, methods, allow) => {
    const path = at(type) + below.replace('ID', record.id);
    for (const method of methods.split(' ')) {
      const body = method === 'GET' || method === 'HEAD' ? undefined : text(type);
      const answer = await server.send(method, path, body);
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, allow]);
      if (method !== 'HEAD') expectRefusal(answer, { status: 405, code: 'not-supported' });
    }
  });

  test.each([
    ['', atType],
    ['/ID', atId],
    ['/ID/_history', atHistory],
    ['/ID/_history/1', atHistory],
    ['/_history', atHistory],
    ['/_search', 'POST, OPTIONS'],
  ])('row 72: OPTIONS of %s is 204 with Allow and the Content-Type', async (below, allow) => {
    const { status, headers, text } = await server.send('OPTIONS', at(type) + below.replace('ID', record.id));
    expect([status, text, headers.get('allow')]).toEqual([204, '', allow]);
    expect(headers.get('content-type')).toContain('application/json');
  });

  test.each([
    'application/json',
    'application/fhir+json',
    'application/json+fhir',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/fhir+json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/fhir+json; fhirVersion=4.0',
  ])('row 73: the media type %s is taken', async (contentType) => {
    const headers = { 'Content-Type': contentType };
    expect((await server.send('POST', at(type), text(type), headers)).status).toBe(201);
    expect((await server.send('PUT', record.path, text(type), headers)).status).toBe(200);
    const patch = replace('/language', 'nb');
    expect((await server.send('PATCH', record.path, patch, headers)).status).toBe(200);
  });

  test('row 73: application/json-patch+json is taken by PATCH', async () => {
    const headers = { 'Content-Type': 'application/json-patch+json' };
    const { status } = await server.send('PATCH', record.path, replace('/language', 'nb'), headers);
    expect(status).toBe(200);
  });

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
  ])('row 73: the media type %j is 415', async (contentType) => {
    const headers = { 'Content-Type': contentType };
    for (const [method, path] of [
      ['POST', at(type)],
      ['PUT', record.path],
    ] as const) {
      const answer = await server.send(method, path, text(type), headers);
      expectRefusal(answer, { status: 415, code: 'not-supported', location: 'http.Content-Type' });
    }
  });

  test('row 73: a body without Content-Type, or with a Content-Encoding, is 415', async () => {
    const post = (headers: Record<string, string>) =>
      below.ask({ method: 'POST', path: at(type), headers, body: text(type) });
    expect((await post({})).status).toBe(415);
    for (const encoding of ['gzip', 'deflate', 'br', 'x']) {
      expect([encoding, (await post({ ...json, 'Content-Encoding': encoding })).status]).toEqual([
        encoding,
        415,
      ]);
    }
  });

  test.each([
    'application/json',
    'application/fhir+json',
    '*/*',
    'application/*',
    'text/html, application/json;q=0.1',
    'application/fhir+xml;q=1.0, application/fhir+json;q=1.0, application/xml+fhir;q=0.9, application/json+fhir;q=0.9',
    'application/fhir+json; fhirVersion=4.0',
    '',
  ])('row 74: Accept: %s is answered with JSON', async (accept) => {
    const { status, headers } = await server.send('GET', record.path, undefined, { Accept: accept });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  });

  test.each([
    'text/html',
    'application/fhir+xml',
    'application/xml, text/xml',
    'image/*',
    'application/json;q=0',
    'nonsense',
  ])('row 74: Accept: %s is 406, and nothing is stored', async (accept) => {
    const reference = `Patient/${encodeURIComponent(accept).replaceAll('%', '')}`;
    for (const [method, path] of [
      ['GET', record.path],
      ['GET', `${at(type)}?subject=a`],
      ['POST', at(type)],
    ] as const) {
      const body = method === 'POST' ? text(type, { subject: { reference } }) : undefined;
      const answer = await server.send(method, path, body, { Accept: accept });
      expectRefusal(answer, { status: 406, code: 'not-supported', location: 'http.Accept' });
    }
    expect((await server.send('GET', `${at(type)}?subject=${reference}`)).json.total).toBe(0);
  });

  test.each(['json', 'application/json', 'application/fhir+json', 'application/fhir%2Bjson'])(
    'row 74: _format=%s is taken, also beside another Accept',
    async (format) => {
      for (const path of [`${record.path}?_format=${format}`, `${at(type)}?subject=a&_format=${format}`]) {
        const { status } = await server.send('GET', path, undefined, { Accept: 'text/html' });
        expect([path, status]).toEqual([path, 200]);
      }
    },
  );

  test.each(['xml', 'html', 'text/turtle', 'application/fhir%2Bxml', 'nonsense'])(
    'row 74: _format=%s is 406',
    async (format) => {
      for (const path of [`${record.path}?_format=${format}`, `${at(type)}?subject=a&_format=${format}`]) {
        expectRefusal(await server.send('GET', path), { status: 406, code: 'not-supported' });
      }
    },
  );

  test('row 76: 64 levels are stored, 65 are 400 too-long, thousands are no more', async () => {
    const deep = (levels: number) =>
      `${text(type).slice(0, -1)},"x":${'['.repeat(levels - 1)}1${']'.repeat(levels - 1)}}`;
    expect((await server.send('POST', at(type), deep(64))).status).toBe(201);
    for (const levels of [65, 3000, 200_000]) {
      expectRefusal(await server.send('POST', at(type), deep(levels)), { status: 400, code: 'too-long' });
      expectRefusal(await server.send('PUT', record.path, deep(levels)), { status: 400, code: 'too-long' });
    }
  });

  test('row 76: a patch cannot nest a record deeper than 64 levels', async () => {
    const body = `[{"op":"replace","path":"/language","value":${'['.repeat(62)}1${']'.repeat(62)}}]`;
    const answer = await server.send('PATCH', record.path, body);
    expect([400, 422]).toContain(answer.status);
    const deep = await store(server, type, { x: { y: 1 } });
    const value = `${'['.repeat(62)}1${']'.repeat(62)}`;
    const one = (path: string) => `[{"op":"replace","path":"${path}","value":${value}}]`;
    expect((await server.send('PATCH', deep.path, one('/x'))).status).toBe(200);
    const twice = await server.send('PATCH', deep.path, one(`/x${'/0'.repeat(61)}`));
    expect([400, 422]).toContain(twice.status);
    expect(twice.json.issue[0].code).toBe('too-long');
    expect((await server.send('GET', deep.path)).status).toBe(200);
  });

  test('row 76: 500 operations are taken, 501 are 413 too-long', async () => {
    const operations = (count: number) =>
      JSON.stringify(
        Array.from({ length: count }, () => ({ op: 'replace', path: '/language', value: 'nb' })),
      );
    expect((await server.send('PATCH', record.path, operations(500))).status).toBe(200);
    const answer = await server.send('PATCH', record.path, operations(501));
    expectRefusal(answer, { status: 413, code: 'too-long' });
  });

  test.each([type.toLowerCase(), type.toUpperCase(), `${type}s`])(
    'row 79: the path case counts: %s is 404',
    async (name) => {
      const answer = await server.send('GET', `/fhir-r4/v1/${name}/${record.id}`);
      expectRefusal(answer, { status: 404, code: 'not-supported' });
    },
  );

  test('row 79: a trailing slash is tolerated', async () => {
    expect((await server.send('GET', `${record.path}/`)).text).toBe(record.text);
    expect((await server.send('GET', `${at(type)}/?subject=a`)).status).toBe(200);
    expect((await server.send('POST', `${at(type)}/`, text(type))).status).toBe(201);
    const other = await server.send('DELETE', `${record.path}/`);
    expect([other.status, other.headers.get('allow')]).toEqual([405, atId]);
  });

  test.each(['4.0', '4.0.1'])('row 81: FHIR version %s is taken', async (version) => {
    const fhir = `application/fhir+json; fhirVersion=${version}`;
    const headers = { Accept: fhir, 'Content-Type': fhir };
    expect((await server.send('POST', at(type), text(type), headers)).status).toBe(201);
  });

  test.each(['1.0', '3.0', '4.3', '5.0', 'x'])(
    'row 81: FHIR version %s is 406 in Accept, 415 in Content-Type',
    async (version) => {
      const fhir = `application/fhir+json; fhirVersion=${version}`;
      const wrongAccept = await server.send('GET', record.path, undefined, { Accept: fhir });
      expectRefusal(wrongAccept, { status: 406, code: 'not-supported', location: 'http.Accept' });
      const wrongType = await server.send('PUT', record.path, JSON.stringify(sample(type)), {
        'Content-Type': fhir,
      });
      expectRefusal(wrongType, { status: 415, code: 'not-supported', location: 'http.Content-Type' });
    },
  );
});
