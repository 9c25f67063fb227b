/** Rows 86, 87 and 92 of docs/api-rows.md: limits of a body, large bodies and byte order marks. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../core/api/contract.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { expectRejection } from './testing/outcome.ts';
import { readAnswers } from './testing/raw-socket.ts';
import { toPath, store, text } from './testing/records.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const create = (body: string) => server.send('POST', toPath('CarePlan'), body);
const countValues = (json: unknown): number =>
  typeof json !== 'object' || json === null
    ? 1
    : Object.values(json).reduce((sum: number, child) => sum + countValues(child), 1);

/** Returns a record with a number of JSON values; most of them are in an unknown array. */
function recordWithValues(values: number, members: Record<string, unknown> = {}): string {
  const bare = text('CarePlan', { ...members, x: [] });
  return bare.replace(
    '"x":[]',
    `"x":[${Array(values - countValues(JSON.parse(bare)))
      .fill('0')
      .join()}]`,
  );
}

// Row 86 of docs/api-rows.md.
describe('body over the size limit', () => {
  const limit = 1024 * 1024;
  let narrow: TestServer;
  beforeAll(async () => {
    narrow = await startTestServer({ maxBody: limit });
  });
  afterAll(() => narrow.remove());

  /** Sends a whole request before it reads the response, as many clients do. */
  function sendWhole(headers: string, body: Buffer): Promise<string> {
    const { host, port } = new URL(narrow.origin);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1').pause();
      const received: Buffer[] = [];
      socket.on('data', (chunk) => {
        received.push(chunk);
        const [answer] = readAnswers(Buffer.concat(received), false);
        if (!answer) return;
        socket.destroy();
        resolve(`${answer.status} ${JSON.parse(answer.text).issue[0].code}`);
      });
      socket.once('error', reject);
      socket.write(
        `POST ${toPath('CarePlan')} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${narrow.token}\r\n` +
          `Content-Type: application/json\r\n${headers}\r\n`,
      );
      socket.write(body, (error) => {
        if (error) reject(error);
        else socket.resume();
      });
    });
  }

  const large = Buffer.alloc(4 * limit, ' ');
  const chunked = Buffer.concat([
    Buffer.from(`${large.length.toString(16)}\r\n`),
    large,
    Buffer.from('\r\n0\r\n\r\n'),
  ]);
  // Row 86 of docs/api-rows.md.
  test.each([
    ['with a Content-Length', `Content-Length: ${large.length}\r\n`, large],
    ['in chunks', 'Transfer-Encoding: chunked\r\n', chunked],
    ['on a connection that ends with it', `Content-Length: ${large.length}\r\nConnection: close\r\n`, large],
  ])('returns 413 for a body over the limit %s', async (_, headers, body) => {
    expect(await sendWhole(headers, body).catch(String)).toBe('413 too-long');
  });

  // Row 86 of docs/api-rows.md.
  test('accepts the next request on the connection after a discarded body', async () => {
    const { host, port } = new URL(narrow.origin);
    const head = `Host: ${host}\r\nAuthorization: Bearer ${narrow.token}\r\n`;
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `POST ${toPath('CarePlan')} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${large.length}\r\n\r\n`,
    );
    socket.write(large);
    socket.write(`GET ${toPath('CarePlan')}/none HTTP/1.1\r\n${head}\r\n`);
    const received: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    await expect
      .poll(() => readAnswers(Buffer.concat(received), false).map(({ status }) => status))
      .toEqual([413, 404]);
    socket.destroy();
  });

  // Row 86 of docs/api-rows.md.
  test('returns 413 to a client that sends only headers', async () => {
    const { host, port } = new URL(narrow.origin);
    const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
    let received = '';
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (chunk: string) => (received += chunk));
    socket.write(
      `POST ${toPath('CarePlan')} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${narrow.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${large.length}\r\n\r\n`,
    );
    await closed;
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
  });
});

// Row 87 of docs/api-rows.md.
describe('limits of values and findings', () => {
  // Row 87 of docs/api-rows.md.
  test('stores 300,000 JSON values, and returns 413 too-long for 300,001', async () => {
    expect((await create(recordWithValues(limits.values))).status).toBe(201);
    expectRejection(await create(recordWithValues(limits.values + 1)), { status: 413, code: 'too-long' });
  });

  // Row 87 of docs/api-rows.md.
  test('counts every object, array, string, number and literal in each method', async () => {
    const { path } = await store(server, 'CarePlan');
    for (const element of ['{}', '[]', '""', '0', 'null', 'true']) {
      const body = `{"resourceType":"CarePlan","x":[${Array(limits.values - 2)
        .fill(element)
        .join()}]}`;
      for (const [method, address] of [
        ['POST', `${toPath('CarePlan')}/$validate`],
        ['PUT', path],
        ['PATCH', path],
      ] as const) {
        expectRejection(await server.send(method, address, body), { status: 413, code: 'too-long' });
      }
    }
  });

  // Row 87 of docs/api-rows.md.
  test('counts the values of each imported record separately', async () => {
    const records = [
      recordWithValues(limits.values),
      recordWithValues(limits.values + 1),
      text('CarePlan'),
      recordWithValues(limits.values),
    ];
    const bundle = `{"resourceType":"Bundle","type":"collection","entry":[${records
      .map((resource) => `{"fullUrl":"urn:uuid:1","resource":${resource}}`)
      .join()}]}`;
    for (const [type, body] of [
      ['application/json', bundle],
      ['application/x-ndjson', records.join('\n')],
    ] as const) {
      const report = await server.send('POST', '/app/import', body, { 'Content-Type': type });
      const results = report.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).result);
      expect(results).toEqual(['stored', 'refused', 'stored', 'stored', undefined]);
      expect(report.text).toContain('"messageCode":"json.tooMany"');
    }
  });

  // Row 87 of docs/api-rows.md.
  test('stops validation at 1,000 findings, reports it and lists the first 100', async () => {
    const unknown = (count: number) =>
      text('CarePlan', Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 1])));
    const validateBody = async (body: string) =>
      (await server.send('POST', `${toPath('CarePlan')}/$validate`, body)).json.issue as Json[];
    const issuesOf1000 = await validateBody(unknown(1000));
    expect([issuesOf1000.length, issuesOf1000[0].diagnostics]).toEqual([100, 'schema-unknown']);
    const issuesOf1001 = await validateBody(unknown(1001));
    expect([issuesOf1001.length, issuesOf1001[0].diagnostics, issuesOf1001[0].code]).toEqual([
      100,
      'stopped',
      'too-costly',
    ]);
    expect((await create(unknown(1001))).status).toBe(201);
    const { findings } = (await server.send('GET', '/app/quality/findings?rule=schema-unknown&count=1000'))
      .json;
    expect(findings).toHaveLength(1000);
  });

  // Row 87 of docs/api-rows.md.
  test('reports stopped validation in a rejection', async () => {
    const empty = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`x${index}`, null]));
    const answer = await create(text('CarePlan', empty));
    expectRejection(answer, { status: 400, code: 'too-costly', diagnostics: 'stopped' });
    expect(answer.json.issue).toHaveLength(100);
  });

  // Row 87 of docs/api-rows.md.
  test('accepts the correction of one of more than 1,000 errors', async () => {
    const faulty = (count: number) =>
      text('CarePlan', Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, null])));
    const importReport = await server.send(
      'POST',
      '/app/import?level=off&keepIds=true',
      faulty(1100).replace('{', '{"id":"dirty",'),
      { 'Content-Type': 'application/json' },
    );
    expect(importReport.text).toContain('"stored":1');
    const path = `${toPath('CarePlan')}/dirty`;
    const { headers } = await server.send('GET', path);
    const update = await server.send('PUT', path, faulty(1100).replace('"x0":null,', ''), {
      'If-Match': headers.get('etag') ?? '',
    });
    expect(update.status).toBe(200);
  });
});

// Row 92 of docs/api-rows.md.
test('ignores a byte order mark before a JSON body', async () => {
  const created = await create(`\uFEFF${text('CarePlan', { title: 'marked' })}`);
  expect([created.status, created.json.title]).toEqual([201, 'marked']);
  const path = `${toPath('CarePlan')}/${String(created.json.id)}`;
  const patch = '\uFEFF[{"op":"replace","path":"/title","value":"patched"}]';
  expect((await server.send('PATCH', path, patch)).json.title).toBe('patched');
  expect(
    (await server.send('POST', `${toPath('CarePlan')}/$validate`, `\uFEFF${text('CarePlan')}`)).status,
  ).toBe(200);
});
