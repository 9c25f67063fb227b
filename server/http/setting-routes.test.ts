import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultPreferences } from '../../core/app/preferences.ts';
import { emptySession } from '../../core/app/session.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const get = async (path: string) => (await server.send('GET', `/app/${path}`)).json;
const put = (path: string, value: unknown) => server.send('PUT', `/app/${path}`, JSON.stringify(value));

test('a change of one preference is kept beside the others; an unknown value is refused', async () => {
  expect(await get('preferences')).toEqual(defaultPreferences);
  expect((await put('preferences', { theme: 'dark' })).status).toBe(200);
  expect((await put('preferences', { density: 'comfortable' })).json).toMatchObject({ theme: 'dark' });
  expect((await put('preferences', { theme: 'pink' })).status).toBe(400);
  const changed = { ...defaultPreferences, theme: 'dark', density: 'comfortable' };
  expect(await get('preferences')).toEqual(changed);
});

test('a layout is kept as the page sent it, as long as it is of a sensible size', async () => {
  const searchColumns = { shown: ['id', 'later'], widths: { id: 1e9 } };
  expect((await put('preferences', { searchColumns })).json).toMatchObject({ searchColumns });
  const deep = JSON.parse('['.repeat(9) + ']'.repeat(9)) as unknown;
  for (const refused of [deep, 'x'.repeat(5000)]) {
    expect((await put('preferences', { searchColumns: refused })).status).toBe(400);
  }
  expect(await get('preferences')).toMatchObject({ searchColumns });
});

test('what was open is kept as it was sent; anything else is refused', async () => {
  expect(await get('session')).toEqual(emptySession);
  const record = { type: 'CarePlan', id: 'a', title: 'Plan' };
  const session = {
    tabs: [
      { kind: 'record', record },
      { kind: 'view', view: 'quality' },
    ],
    active: 1,
    search: { type: 'CarePlan', pairs: [['subject', '17']] },
    recent: [record],
  };
  expect((await put('session', session)).status).toBe(200);
  const faults = [{ tabs: [{}] }, { active: 'first' }, { search: {} }, { recent: [{ id: 'a' }] }];
  for (const fault of faults) expect((await put('session', { ...session, ...fault })).status).toBe(400);
  expect(await get('session')).toEqual(session);
});
