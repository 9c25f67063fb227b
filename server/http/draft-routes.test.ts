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
const saveDraft = (id: string, changes?: Record<string, unknown>) =>
  server.send('PUT', `/app/drafts/${id}`, draft(changes));
const readDraft = async (id: string) => (await server.send('GET', `/app/drafts/${id}`)).json;
const listIds = async () =>
  ((await server.send('GET', '/app/drafts')).json as { id: string }[]).map(({ id }) => id);

test('stores a draft as typed, lists it without texts and removes it', async () => {
  const saveResponse = await saveDraft('one');
  expect(saveResponse.status).toBe(200);
  expect(saveResponse.json).toMatchObject({
    id: 'one',
    recordId: 'a',
    title: 'Plan',
    baseVersion: 3,
    window: 'w1',
  });
  expect(await readDraft('one')).toMatchObject({ text: '{"n":1.00', base: '{"n":1.0}' });
  const [listedDraft] = (await server.send('GET', '/app/drafts')).json;
  expect(Object.keys(listedDraft)).not.toContain('text');
  expect((await server.send('DELETE', '/app/drafts/one')).status).toBe(200);
  expect((await server.send('GET', '/app/drafts/one')).status).toBe(404);
  expect((await server.send('DELETE', '/app/drafts/one')).status).toBe(200);
});

test.each(['', '{"a":', 'a\u0000b', '\ud800 alone', '\r\n\t"\\u00e9"', '9'.repeat(maxBody)])(
  'returns any text up to the record limit unchanged',
  async (text) => {
    expect((await saveDraft('any', { text, base: '"'.repeat(maxBody) })).status).toBe(200);
    expect((await readDraft('any')).text).toBe(text);
  },
);

test('keeps two drafts for two windows on one record', async () => {
  await saveDraft('left', { text: 'l' });
  await saveDraft('right', { text: 'r', window: 'w2' });
  expect([(await readDraft('left')).text, (await readDraft('right')).text]).toEqual(['l', 'r']);
  expect(await listIds()).toEqual(expect.arrayContaining(['left', 'right']));
});

test('rejects writes of the first window after another window claimed the draft', async () => {
  await saveDraft('claimed', { text: 'first' });
  const claim = await server.send('POST', '/app/drafts/claimed/claim', '{"window":"w2"}');
  expect(claim.json).toMatchObject({ window: 'w2', text: 'first' });
  expect((await saveDraft('claimed', { text: 'late' })).status).toBe(409);
  expect((await saveDraft('claimed', { text: 'next', window: 'w2' })).status).toBe(200);
  expect((await readDraft('claimed')).text).toBe('next');
});

test('requires the base text once per base version', async () => {
  expect((await saveDraft('base', { base: undefined })).status).toBe(400);
  await saveDraft('base');
  expect((await saveDraft('base', { base: undefined, text: '2' })).status).toBe(200);
  expect(await readDraft('base')).toMatchObject({ text: '2', base: '{"n":1.0}' });
  expect((await saveDraft('base', { base: undefined, baseVersion: 4 })).status).toBe(400);
  expect((await readDraft('base')).text).toBe('2');
});

test.each([
  ['PUT', '/app/drafts/bad', '{"type":"Patient"}', 400],
  ['PUT', '/app/drafts/bad', '{', 400],
  ['PUT', '/app/drafts/a%20b', draft(), 400],
  ['POST', '/app/drafts/bad/claim', '{}', 400],
  ['POST', '/app/drafts/nobody/claim', '{"window":"w"}', 404],
])('%s %s with %s is refused', async (method, path, body, status) => {
  expect((await server.send(method, path, body)).status).toBe(status);
});
