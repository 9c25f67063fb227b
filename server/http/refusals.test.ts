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

describe('a body that is not one clean record is refused at the element', () => {
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

  test('64 levels, and null as padding beside an extended array, are stored', async () => {
    expect(
      (await server.send('POST', type, carePlan('Patient/1', `,"x":${'['.repeat(63)}1${']'.repeat(63)}`)))
        .status,
    ).toBe(201);
    const padded = ',"instantiatesUri":["urn:a",null],"_instantiatesUri":[null,{"id":"b"}]';
    expect((await server.send('POST', type, carePlan('Patient/1', padded))).status).toBe(201);
  });

  test('bytes that are not UTF-8', async () => {
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

  test('one byte more than the limit is 413, the limit itself is read', async () => {
    // Notes of half a megabyte: a single text may have one megabyte at most.
    const sized = (bytes: number) => {
      const note = (length: number) => `{"text":"${'a'.repeat(length)}"}`;
      const full = Array.from({ length: 9 }, () => note(512 * 1024));
      return carePlan('Patient/1', `,"note":[${[...full, note(bytes)].join(',')}]`);
    };
    const room = limits.body - sized(1).length + 1;
    expect((await server.send('POST', type, sized(room))).status).toBe(201);
    const answer = await server.send('POST', type, sized(room + 1));
    expect(answer.status).toBe(413);
    expect(answer.json.issue[0].code).toBe('too-long');
  });

  test('a media type that is not JSON is 415', async () => {
    const answer = await server.send('POST', type, carePlan('Patient/1'), { 'Content-Type': 'text/plain' });
    expect(answer.status).toBe(415);
    expect(answer.json.issue[0].location).toEqual(['http.Content-Type']);
  });
});

describe('a patch is refused whole, and nothing is stored', () => {
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

  test('the operation is named by its index and the nearest parent that exists', async () => {
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

describe('foreign pages and names', () => {
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

  test('only this host and origin pass', async () => {
    const { host, port } = new URL(server.origin);
    expect(await send({ Host: host })).toBe(200);
    expect(await send({ Host: `localhost:${port}`, Origin: `http://localhost:${port}` })).toBe(200);
    expect(await send({ Host: 'evil.example' })).toBe(403);
    expect(await send({ Host: '127.0.0.1:1' })).toBe(403);
    expect(await send({ Host: host, Origin: 'http://evil.example' })).toBe(403);
    expect(await send({ Host: host, 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
  });
});
