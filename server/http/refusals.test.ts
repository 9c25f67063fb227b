import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../core/api/contract.ts';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let id: string;
const type = '/fhir-r4/v1/CarePlan';

beforeAll(async () => {
  server = await startTestServer();
  id = (await server.send('POST', type, carePlan('Patient/1', ',"note":[{"text":"a"}],"title":"t"'))).json.id;
});
afterAll(() => server.remove());

describe('an invalid body', () => {
  test.each([
    ['no JSON', '{"resourceType":', 'structure', undefined],
    ['an empty body', '', 'structure', undefined],
    ['an array', '[]', 'structure', 'CarePlan'],
    ['another type', '{"resourceType":"Patient"}', 'invalid', 'CarePlan.resourceType'],
    ['no type', '{"status":"draft"}', 'invalid', 'CarePlan.resourceType'],
    [
      'a property twice',
      carePlan('Patient/1', ',"note":[{"text":"a","text":"b"}]'),
      'structure',
      'CarePlan.note[0]',
    ],
    ['null', carePlan('Patient/1', ',"title":null'), 'structure', 'CarePlan.title'],
    ['an empty array', carePlan('Patient/1', ',"note":[]'), 'structure', 'CarePlan.note'],
    ['an empty object', carePlan('Patient/1', ',"note":[{}]'), 'structure', 'CarePlan.note[0]'],
    ['an empty string', carePlan('Patient/1', ',"title":""'), 'structure', 'CarePlan.title'],
    ['half a surrogate pair', carePlan('Patient/1', ',"title":"\\ud800"'), 'structure', 'CarePlan'],
    ['a prototype key', carePlan('Patient/1', ',"__proto__":{"a":1}'), 'structure', 'CarePlan'],
    ['65 levels', carePlan('Patient/1', `,"x":${'['.repeat(64)}1${']'.repeat(64)}`), 'too-long', undefined],
  ])('%s', async (_, body, code, expression) => {
    const answer = await server.send('POST', type, body);
    expect(answer.status).toBe(400);
    expect(answer.json.issue[0].code).toBe(code);
    if (expression !== undefined) expect(answer.json.issue[0].expression).toEqual([expression]);
  });

  test('stores 64 levels and null padding of an extended array', async () => {
    expect(
      (await server.send('POST', type, carePlan('Patient/1', `,"x":${'['.repeat(63)}1${']'.repeat(63)}`)))
        .status,
    ).toBe(201);
    const padded = ',"instantiatesUri":["urn:a",null],"_instantiatesUri":[null,{"id":"b"}]';
    expect((await server.send('POST', type, carePlan('Patient/1', padded))).status).toBe(201);
  });

  test('rejects bytes that are not UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from(carePlan('Patient/1').slice(0, -1)),
      Buffer.from(',"title":"\xff"}', 'latin1'),
    ]);
    const answer = await fetch(server.origin + type, {
      method: 'POST',
      headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(400);
  });

  test('reads a body of the limit and rejects one byte more with 413', async () => {
    // Notes of half a megabyte, because a single text is limited to one megabyte.
    const recordOfSize = (bytes: number) => {
      const note = (length: number) => `{"text":"${'a'.repeat(length)}"}`;
      const full = Array.from({ length: 9 }, () => note(512 * 1024));
      return carePlan('Patient/1', `,"note":[${[...full, note(bytes)].join(',')}]`);
    };
    const room = limits.body - recordOfSize(1).length + 1;
    expect((await server.send('POST', type, recordOfSize(room))).status).toBe(201);
    const answer = await server.send('POST', type, recordOfSize(room + 1));
    expect(answer.status).toBe(413);
    expect(answer.json.issue[0].code).toBe('too-long');
  });

  test('rejects a media type that is not JSON with 415', async () => {
    const response = await server.send('POST', type, carePlan('Patient/1'), { 'Content-Type': 'text/plain' });
    expect(response.status).toBe(415);
    expect(response.json.issue[0].location).toEqual(['http.Content-Type']);
  });
});

describe('an invalid patch', () => {
  const replace = (path: string, value: unknown = 'x') => JSON.stringify([{ op: 'replace', path, value }]);
  test.each([
    ['not an array', '{}', 400, 'structure'],
    ['an operation that is no object', '[1]', 400, 'required'],
    ['no path', '[{"op":"replace","value":1}]', 400, 'required'],
    ['no value', '[{"op":"replace","path":"/title"}]', 400, 'required'],
    ['op add', '[{"op":"add","path":"/title","value":"x"}]', 422, 'not-supported'],
    ['op REPLACE', '[{"op":"REPLACE","path":"/title","value":"x"}]', 400, 'value'],
    ['a path without a slash', replace('title'), 400, 'value'],
    ['a bad escape', replace('/ti~2tle'), 400, 'value'],
    ['the whole record', replace(''), 422, 'not-supported'],
    ['a target that is missing', replace('/description'), 422, 'processing'],
    ['an index out of range', replace('/note/1/text'), 422, 'processing'],
    ['the index -', replace('/note/-'), 422, 'processing'],
    ['a malformed index', replace('/note/00'), 400, 'value'],
    ['array length', replace('/note/length'), 422, 'processing'],
    ['__proto__', replace('/__proto__/x'), 400, 'value'],
    ['an inherited name', replace('/toString'), 422, 'processing'],
    ['id', replace('/id'), 422, 'business-rule'],
    ['versionId', replace('/meta/versionId'), 422, 'business-rule'],
    ['a result that is not clean', replace('/title', ''), 422, 'structure'],
    [
      'the second of two',
      `[{"op":"replace","path":"/title","value":"x"},{"op":"replace","path":"/no","value":1}]`,
      422,
      'processing',
    ],
  ])('%s', async (_, body, status, code) => {
    const answer = await server.send('PATCH', `${type}/${id}`, body);
    expect({ status: answer.status, code: answer.json.issue?.[0].code }).toEqual({ status, code });
    expect((await server.send('GET', `${type}/${id}`)).json).toMatchObject({
      title: 't',
      meta: { versionId: '1' },
    });
  });

  test('names the operation by index and nearest existing parent', async () => {
    const body =
      '[{"op":"replace","path":"/title","value":"x"},{"op":"replace","path":"/note/0/no","value":1}]';
    const [issue] = (await server.send('PATCH', `${type}/${id}`, body)).json.issue;
    expect(issue.diagnostics).toBe('op[1]: target missing');
    expect(issue.expression).toEqual(['CarePlan.note[0]']);
  });
});

test.each([
  ['DELETE', '/fhir-r4/v1/CarePlan/x', 405, 'GET, HEAD, PUT, PATCH, OPTIONS'],
  ['PUT', '/fhir-r4/v1/CarePlan', 405, 'GET, HEAD, POST, OPTIONS'],
  ['GET', '/fhir-r4/v1/Patient', 404, null],
  ['GET', '/fhir-r4/v1/careplan', 404, null],
  ['GET', '/nowhere', 404, null],
  ['GET', '/fhir-r4/v1/CarePlan/%zz', 400, null],
  ['GET', '/fhir-r4/v1/CarePlan?subject=%zz', 400, null],
])('%s %s is %i', async (method, path, status, allow) => {
  const answer = await server.send(method, path);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('allow')).toBe(allow);
  expect(answer.json.resourceType).toBe('OperationOutcome');
});

describe('foreign origins and hosts', () => {
  const send = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(server.origin);
      request({
        hostname,
        port,
        path: `${type}?subject=1`,
        headers: { Authorization: `Bearer ${server.token}`, ...headers },
      })
        .once('response', (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
        .once('error', reject)
        .end();
    });

  test('accepts only this host and origin', async () => {
    const { host, port } = new URL(server.origin);
    expect(await send({ Host: host })).toBe(200);
    expect(await send({ Host: `localhost:${port}`, Origin: `http://localhost:${port}` })).toBe(200);
    expect(await send({ Host: 'evil.example' })).toBe(403);
    expect(await send({ Host: '127.0.0.1:1' })).toBe(403);
    expect(await send({ Host: host, Origin: 'http://evil.example' })).toBe(403);
    expect(await send({ Host: host, 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
  });
});
