/** Rows 75 and 80 of docs/api-rows.md: the size of a body, and which of two errors is reported. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { createClientToken, sendAs } from '../testing/tokens.ts';
import { expectRejection } from './testing/outcome.ts';
import { toPath, replace, sample, store, text, unknownId } from './testing/records.ts';

const limit = 4096;

let server: TestServer;
let reader: string;
let path: string;
beforeAll(async () => {
  server = await startTestServer({ maxBody: limit });
  reader = `Bearer ${(await createClientToken(server, ['system/CarePlan.read'])).token}`;
  ({ path } = await store(server, 'CarePlan'));
});
afterAll(() => server.remove());

/** Returns a CarePlan with a size in bytes. */
const recordOfSize = (bytes: number) => {
  const empty = text('CarePlan', { x: '' }).length;
  return text('CarePlan', { x: 'a'.repeat(bytes - empty) });
};

// Row 75 of docs/api-rows.md.
describe('size limit of a body', () => {
  // Row 75 of docs/api-rows.md.
  test('stores a body of the limit, and returns 413 too-long for one more byte', async () => {
    expect((await server.send('POST', toPath('CarePlan'), recordOfSize(limit))).status).toBe(201);
    const answer = await server.send('POST', toPath('CarePlan'), recordOfSize(limit + 1));
    expectRejection(answer, { status: 413, code: 'too-long' });
    const sendChunked = (bytes: number) =>
      fetch(server.origin + toPath('CarePlan'), {
        method: 'POST',
        headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' },
        body: new Blob([recordOfSize(bytes)]).stream(),
        duplex: 'half',
      });
    expect([(await sendChunked(limit)).status, (await sendChunked(limit + 1)).status]).toEqual([201, 413]);
  });

  // Row 75 of docs/api-rows.md.
  test('counts bytes, not characters', async () => {
    const body = text('CarePlan', { x: 'æ'.repeat(limit / 2) });
    expect(body.length).toBeLessThan(limit);
    const answer = await server.send('POST', toPath('CarePlan'), body);
    expectRejection(answer, { status: 413, code: 'too-long' });
  });

  // Row 75 of docs/api-rows.md.
  test('applies the limit to PUT, PATCH, _search and $validate', async () => {
    for (const [method, address, type] of [
      ['PUT', path, 'application/json'],
      ['PATCH', path, 'application/json'],
      ['POST', `${toPath('CarePlan')}/$validate`, 'application/json'],
      ['POST', `${toPath('CarePlan')}/_search`, 'application/x-www-form-urlencoded'],
    ] as const) {
      const answer = await server.send(method, address, recordOfSize(limit + 1), { 'Content-Type': type });
      expectRejection(answer, { status: 413, code: 'too-long' });
    }
  });

  // Row 75 of docs/api-rows.md.
  test('has a default limit of 5 MB', async () => {
    const defaultServer = await startTestServer();
    try {
      expect((await defaultServer.send('POST', toPath('CarePlan'), recordOfSize(5_000_000))).status).toBe(
        201,
      );
      const answer = await defaultServer.send('POST', toPath('CarePlan'), recordOfSize(5 * 1024 * 1024 + 1));
      expectRejection(answer, { status: 413, code: 'too-long' });
    } finally {
      await defaultServer.remove();
    }
  });
});

/** Each request has two errors. The response reports the error that row 80 checks first. */
// Row 80 of docs/api-rows.md.
describe('order of checks', () => {
  const plan = toPath('CarePlan');
  const xml = { 'Content-Type': 'application/xml' };
  const html = { Accept: 'text/html' };
  const stale = { 'If-Match': 'W/"9"' };
  const wrong = text('CarePlan', { status: 'wrong' });
  const unknown = toPath('CarePlan', unknownId);
  const add = '[{"op":"add","path":"/x","value":1}]';
  type Row = readonly [
    name: string,
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | undefined,
    as: 'nobody' | 'reader' | 'owner',
    status: number,
  ];
  const rows: readonly Row[] = [
    ['escape before token', 'GET', `${plan}/%zz`, {}, undefined, 'nobody', 400],
    ['token before path', 'GET', '/fhir-r4/v1/Patient', {}, undefined, 'nobody', 401],
    ['token before method', 'DELETE', plan, {}, undefined, 'nobody', 401],
    ['token before existence', 'GET', unknown, {}, undefined, 'nobody', 401],
    ['token before media type', 'POST', plan, xml, '<a/>', 'nobody', 401],
    ['token before size', 'POST', plan, {}, recordOfSize(limit + 1), 'nobody', 401],
    ['path before method', 'DELETE', '/fhir-r4/v1/Patient', {}, undefined, 'reader', 404],
    ['path before scope', 'POST', '/fhir-r4/v1/Patient', {}, '{}', 'reader', 404],
    ['path of the app before scope', 'GET', '/app/nowhere', {}, undefined, 'reader', 404],
    ['method of the app before scope', 'PATCH', '/app/tokens', {}, '{}', 'reader', 405],
    ['method before scope', 'DELETE', plan, {}, undefined, 'reader', 405],
    ['method before scope of the other type', 'DELETE', toPath('Composition'), {}, undefined, 'reader', 405],
    ['scope before media type', 'POST', plan, xml, '<a/>', 'reader', 403],
    ['scope before Accept', 'GET', toPath('Composition'), html, undefined, 'reader', 403],
    ['scope before size', 'POST', plan, {}, recordOfSize(limit + 1), 'reader', 403],
    ['scope before parse', 'PUT', unknown, {}, '{', 'reader', 403],
    ['scope before existence', 'PATCH', unknown, {}, '[]', 'reader', 403],
    ['media type before size', 'POST', plan, xml, recordOfSize(limit + 1), 'owner', 415],
    ['Accept before size', 'POST', plan, html, recordOfSize(limit + 1), 'owner', 406],
    ['Accept before existence', 'GET', unknown, html, undefined, 'owner', 406],
    ['size before existence', 'PUT', unknown, {}, recordOfSize(limit + 1), 'owner', 413],
    ['parse before existence', 'PUT', unknown, {}, '{', 'owner', 400],
    ['parse before existence of a patch', 'PATCH', unknown, {}, '[', 'owner', 400],
    ['parse before If-Match', 'PUT', 'RECORD', stale, '{', 'owner', 400],
    ['existence before If-Match', 'PUT', unknown, stale, text('CarePlan'), 'owner', 404],
    ['existence before content', 'PUT', unknown, {}, wrong, 'owner', 404],
    ['existence before operations', 'PATCH', unknown, {}, add, 'owner', 404],
    ['If-Match before content', 'PUT', 'RECORD', stale, wrong, 'owner', 412],
    ['If-Match before operations', 'PATCH', 'RECORD', stale, replace('/nothing', 1), 'owner', 412],
    ['If-Match before what is not offered', 'PATCH', 'RECORD', stale, add, 'owner', 412],
    [
      'If-Match before the id of the body',
      'PUT',
      'RECORD',
      stale,
      JSON.stringify(sample('CarePlan', { id: unknownId })),
      'owner',
      412,
    ],
  ];

  // Row 80 of docs/api-rows.md.
  test.each(rows)('checks %s', async (_, method, address, headers, body, sender, status) => {
    const authorization = { nobody: undefined, reader, owner: `Bearer ${server.token}` }[sender];
    const answer = await sendAs(
      server,
      authorization,
      method,
      address.replace('RECORD', path),
      body,
      headers,
    );
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ resourceType: 'OperationOutcome' });
  });
});
