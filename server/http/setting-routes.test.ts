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
const update = (path: string, value: unknown) => server.send('PUT', `/app/${path}`, JSON.stringify(value));

test('changes one preference and rejects an unknown value', async () => {
  expect(await get('preferences')).toEqual(defaultPreferences);
  expect((await update('preferences', { theme: 'dark' })).status).toBe(200);
  expect((await update('preferences', { density: 'comfortable' })).json).toMatchObject({ theme: 'dark' });
  expect((await update('preferences', { theme: 'pink' })).status).toBe(400);
  const changedPreferences = { ...defaultPreferences, theme: 'dark', density: 'comfortable' };
  expect(await get('preferences')).toEqual(changedPreferences);
});

test('stores a layout of the page unchanged up to a size limit', async () => {
  const searchColumns = { shown: ['id', 'later'], widths: { id: 1e9 } };
  expect((await update('preferences', { searchColumns })).json).toMatchObject({ searchColumns });
  const deep = JSON.parse('['.repeat(9) + ']'.repeat(9)) as unknown;
  for (const invalidLayout of [deep, 'x'.repeat(5000)]) {
    expect((await update('preferences', { searchColumns: invalidLayout })).status).toBe(400);
  }
  expect(await get('preferences')).toMatchObject({ searchColumns });
});

test('stores the session as sent and rejects anything else', async () => {
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
  expect((await update('session', session)).status).toBe(200);
  const faults = [{ tabs: [{}] }, { active: 'first' }, { search: {} }, { recent: [{ id: 'a' }] }];
  for (const fault of faults) expect((await update('session', { ...session, ...fault })).status).toBe(400);
  expect(await get('session')).toEqual(session);
});
