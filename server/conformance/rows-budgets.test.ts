/** Rows 86, 87 and 92: what a body may hold, what of a larger one is read, and what stands before it. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../core/api/contract.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { expectRefusal } from './testing/outcome.ts';
import { readAnswers } from './testing/raw-socket.ts';
import { at, store, text } from './testing/records.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const create = (body: string) => server.send('POST', at('CarePlan'), body);
const valuesOf = (json: unknown): number =>
  typeof json !== 'object' || json === null
    ? 1
    : Object.values(json).reduce((sum: number, one) => sum + valuesOf(one), 1);

/** A record of so many JSON values; the last in an array that FHIR does not know. */
function holding(values: number, more: Record<string, unknown> = {}): string {
  const bare = text('CarePlan', { ...more, x: [] });
  return bare.replace(
    '"x":[]',
    `"x":[${Array(values - valuesOf(JSON.parse(bare)))
      .fill('0')
      .join()}]`,
  );
}

describe('row 86', () => {
  const limit = 1024 * 1024;
  let narrow: TestServer;
  beforeAll(async () => {
    narrow = await startTestServer({ maxBody: limit });
  });
  afterAll(() => narrow.remove());

  /** Sends a whole request, and looks for an answer behind its last byte alone, as many clients do. */
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
        `POST ${at('CarePlan')} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${narrow.token}\r\n` +
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
  test.each([
    ['with a Content-Length', `Content-Length: ${large.length}\r\n`, large],
    ['in chunks', 'Transfer-Encoding: chunked\r\n', chunked],
    ['on a connection that ends with it', `Content-Length: ${large.length}\r\nConnection: close\r\n`, large],
  ])('row 86: a body over the limit, %s: its client reads 413', async (_, headers, body) => {
    expect(await sendWhole(headers, body).catch(String)).toBe('413 too-long');
  });

  test('row 86: the connection of a body that was read to its end takes the next request', async () => {
    const { host, port } = new URL(narrow.origin);
    const head = `Host: ${host}\r\nAuthorization: Bearer ${narrow.token}\r\n`;
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `POST ${at('CarePlan')} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${large.length}\r\n\r\n`,
    );
    socket.write(large);
    socket.write(`GET ${at('CarePlan')}/none HTTP/1.1\r\n${head}\r\n`);
    const received: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    await expect
      .poll(() => readAnswers(Buffer.concat(received), false).map(({ status }) => status))
      .toEqual([413, 404]);
    socket.destroy();
  });

  test('row 86: a client that keeps its body to itself reads 413 as well', async () => {
    const { host, port } = new URL(narrow.origin);
    const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
    let received = '';
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (piece: string) => (received += piece));
    socket.write(
      `POST ${at('CarePlan')} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${narrow.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${large.length}\r\n\r\n`,
    );
    await closed;
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('row 87', () => {
  test('row 87: a body of 300,000 JSON values is stored, one value more is 413 too-long', async () => {
    expect((await create(holding(limits.values))).status).toBe(201);
    expectRefusal(await create(holding(limits.values + 1)), { status: 413, code: 'too-long' });
  });

  test('row 87: every object, array, string, number and literal counts, whatever method sends it', async () => {
    const { path } = await store(server, 'CarePlan');
    for (const one of ['{}', '[]', '""', '0', 'null', 'true']) {
      const body = `{"resourceType":"CarePlan","x":[${Array(limits.values - 2)
        .fill(one)
        .join()}]}`;
      for (const [method, address] of [
        ['POST', `${at('CarePlan')}/$validate`],
        ['PUT', path],
        ['PATCH', path],
      ] as const) {
        expectRefusal(await server.send(method, address, body), { status: 413, code: 'too-long' });
      }
    }
  });

  test('row 87: in an import each record is counted by itself', async () => {
    const records = [
      holding(limits.values),
      holding(limits.values + 1),
      text('CarePlan'),
      holding(limits.values),
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

  test('row 87: validation stops at 1,000 findings and says so; the outcome lists the first 100', async () => {
    const unknown = (count: number) =>
      text('CarePlan', Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 1])));
    const judged = async (body: string) =>
      (await server.send('POST', `${at('CarePlan')}/$validate`, body)).json.issue as Json[];
    const all = await judged(unknown(1000));
    expect([all.length, all[0].diagnostics]).toEqual([100, 'schema-unknown']);
    const more = await judged(unknown(1001));
    expect([more.length, more[0].diagnostics, more[0].code]).toEqual([100, 'stopped', 'too-costly']);
    expect((await create(unknown(1001))).status).toBe(201);
    const { findings } = (await server.send('GET', '/app/quality/findings?rule=schema-unknown&count=1000'))
      .json;
    expect(findings).toHaveLength(1000);
  });

  test('row 87: a refusal says that validation stopped', async () => {
    const empty = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`x${index}`, null]));
    const answer = await create(text('CarePlan', empty));
    expectRefusal(answer, { status: 400, code: 'too-costly', diagnostics: 'stopped' });
    expect(answer.json.issue).toHaveLength(100);
  });

  test('row 87: of more than 1,000 findings one can be mended, and row 13a holds', async () => {
    const faulty = (count: number) =>
      text('CarePlan', Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, null])));
    const imported = await server.send(
      'POST',
      '/app/import?level=off&keepIds=true',
      faulty(1100).replace('{', '{"id":"dirty",'),
      { 'Content-Type': 'application/json' },
    );
    expect(imported.text).toContain('"stored":1');
    const path = `${at('CarePlan')}/dirty`;
    const { headers } = await server.send('GET', path);
    const mended = await server.send('PUT', path, faulty(1100).replace('"x0":null,', ''), {
      'If-Match': headers.get('etag') ?? '',
    });
    expect(mended.status).toBe(200);
  });
});

test('row 92: a byte order mark before a JSON body is ignored', async () => {
  const made = await create(`\uFEFF${text('CarePlan', { title: 'marked' })}`);
  expect([made.status, made.json.title]).toEqual([201, 'marked']);
  const path = `${at('CarePlan')}/${String(made.json.id)}`;
  const patch = '\uFEFF[{"op":"replace","path":"/title","value":"patched"}]';
  expect((await server.send('PATCH', path, patch)).json.title).toBe('patched');
  expect((await server.send('POST', `${at('CarePlan')}/$validate`, `\uFEFF${text('CarePlan')}`)).status).toBe(
    200,
  );
});
