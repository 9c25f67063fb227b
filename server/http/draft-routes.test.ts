import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const maxBody = 64 * 1024;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ maxBody });
});
afterAll(() => server.remove());

const draft = (changes: Record<string, unknown> = {}) =>
  JSON.stringify({
    type: 'CarePlan',
    recordId: 'a',
    title: 'Plan',
    baseVersion: 3,
    window: 'w1',
    text: '{"n":1.00',
    base: '{"n":1.0}',
    ...changes,
  });
const put = (id: string, changes?: Record<string, unknown>) =>
  server.send('PUT', `/app/drafts/${id}`, draft(changes));
const read = async (id: string) => (await server.send('GET', `/app/drafts/${id}`)).json;
const ids = async () =>
  ((await server.send('GET', '/app/drafts')).json as { id: string }[]).map(({ id }) => id);

test('a draft is kept as it was typed, listed without its texts, and removed', async () => {
  const saved = await put('one');
  expect(saved.status).toBe(200);
  expect(saved.json).toMatchObject({ id: 'one', recordId: 'a', title: 'Plan', baseVersion: 3, window: 'w1' });
  expect(await read('one')).toMatchObject({ text: '{"n":1.00', base: '{"n":1.0}' });
  const [listed] = (await server.send('GET', '/app/drafts')).json;
  expect(Object.keys(listed)).not.toContain('text');
  expect((await server.send('DELETE', '/app/drafts/one')).status).toBe(200);
  expect((await server.send('GET', '/app/drafts/one')).status).toBe(404);
  expect((await server.send('DELETE', '/app/drafts/one')).status).toBe(200);
});

test.each(['', '{"a":', 'a\u0000b', '\ud800 alone', '\r\n\t"\\u00e9"', '9'.repeat(maxBody)])(
  'any text up to the limit of a record comes back as it was',
  async (text) => {
    expect((await put('any', { text, base: '"'.repeat(maxBody) })).status).toBe(200);
    expect((await read('any')).text).toBe(text);
  },
);

test('two windows on one record keep two drafts', async () => {
  await put('left', { text: 'l' });
  await put('right', { text: 'r', window: 'w2' });
  expect([(await read('left')).text, (await read('right')).text]).toEqual(['l', 'r']);
  expect(await ids()).toEqual(expect.arrayContaining(['left', 'right']));
});

test('a draft that another window claimed is no longer written by the first', async () => {
  await put('claimed', { text: 'first' });
  const claim = await server.send('POST', '/app/drafts/claimed/claim', '{"window":"w2"}');
  expect(claim.json).toMatchObject({ window: 'w2', text: 'first' });
  expect((await put('claimed', { text: 'late' })).status).toBe(409);
  expect((await put('claimed', { text: 'next', window: 'w2' })).status).toBe(200);
  expect((await read('claimed')).text).toBe('next');
});

test('the base is sent once, and again with another version', async () => {
  expect((await put('base', { base: undefined })).status).toBe(400);
  await put('base');
  expect((await put('base', { base: undefined, text: '2' })).status).toBe(200);
  expect(await read('base')).toMatchObject({ text: '2', base: '{"n":1.0}' });
  expect((await put('base', { base: undefined, baseVersion: 4 })).status).toBe(400);
  expect((await read('base')).text).toBe('2');
});

test.each([
  ['PUT', '/app/drafts/bad', '{"type":"Patient"}', 400],
  ['PUT', '/app/drafts/bad', '{', 400],
  ['PUT', '/app/drafts/a%20b', draft(), 400],
  ['POST', '/app/drafts/bad/claim', '{}', 400],
  ['POST', '/app/drafts/nobody/claim', '{"window":"w"}', 404],
  ['POST', '/app/drafts', draft(), 405],
])('%s %s with %s is refused', async (method, path, body, status) => {
  expect((await server.send(method, path, body)).status).toBe(status);
});
