import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultPreferences } from '../../core/app/preferences.ts';
import type { SettingsFile, SettingsOutcome } from '../../core/app/settings-files.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let [from, to]: TestServer[] = [];
beforeEach(async () => {
  [from, to] = await Promise.all([startTestServer(), startTestServer()]);
});
afterEach(() => Promise.all([from?.remove(), to?.remove()]));

type Path = Parameters<TestServer['send']>;
async function send(
  server: TestServer | undefined,
  method: string,
  path: string,
  value?: object,
  headers?: Path[3],
) {
  if (!server) throw new Error('No server is running');
  const body = value && JSON.stringify(value);
  return server.send(method, `/app${path}`, body, headers);
}
const exportFiles = async (server: TestServer | undefined): Promise<SettingsFile[]> =>
  (await send(server, 'GET', '/settings/files')).json.files;
const importFiles = async (files: readonly SettingsFile[], dryRun = false): Promise<SettingsOutcome> =>
  (await send(to, 'POST', '/settings/files', { files, dryRun })).json;

const ward = {
  name: 'Ward/3',
  baseUrl: 'https://fhir.example.org/r4',
  authentication: { kind: 'client-credentials', clientId: 'ward' },
};
const query = { type: 'CarePlan', pairs: [['status', 'active']] };

async function fill(): Promise<string> {
  const { id } = (await send(from, 'POST', '/connections', ward)).json;
  await send(from, 'PUT', `/connections/${id}/secret`, { secret: 'canary-secret-7' });
  await send(from, 'POST', '/searches', { name: 'Active', ...query });
  await send(from, 'POST', '/searches', { name: 'Theirs', ...query }, { 'X-Chartkeeper-Connection': id });
  const searchColumns = { shown: ['title', 'id'], widths: { title: 200, id: 90 } };
  await send(from, 'PUT', '/preferences', { theme: 'dark', inspectorWidth: 417, searchColumns });
  return id;
}

test('transfers all settings without secrets and ids, byte for byte', async () => {
  const id = await fill();
  const files = await exportFiles(from);
  expect(files.map(({ path }) => path)).toEqual([
    'chartkeeper.json',
    'columns.json',
    'connections/Ward%2F3.json',
    'searches/Active.json',
    'searches/Ward%2F3/Theirs.json',
    'settings.json',
  ]);
  expect(await exportFiles(from)).toEqual(files);
  expect(JSON.stringify(files)).not.toMatch(new RegExp(`canary|${id}|417`));

  const would = await importFiles(files, true);
  expect(would.lines.map(({ result }) => result)).toEqual(['new', 'new', 'new', 'new', 'changed']);
  expect((await exportFiles(to)).map(({ path }) => path)).toEqual(['chartkeeper.json', 'settings.json']);

  expect(await importFiles(files)).toEqual({ dryRun: false, lines: would.lines });
  expect(await exportFiles(to)).toEqual(files);
  expect((await importFiles(files)).lines.every(({ result }) => result === 'same')).toBe(true);
  expect((await send(to, 'GET', '/preferences')).json).toEqual({
    ...defaultPreferences,
    theme: 'dark',
    searchColumns: { shown: ['title', 'id'], widths: { id: 90, title: 200 } },
  });
  const [connection] = (await send(to, 'GET', '/connections')).json.connections;
  expect(connection).toMatchObject({ name: 'Ward/3', access: 'needs-secret' });
  expect(connection.id).not.toBe(id);
});

test('imports valid items despite rejected ones and removes nothing', async () => {
  await fill();
  await send(to, 'POST', '/searches', { name: 'Mine', ...query });
  const files = (await exportFiles(from)).map((file) =>
    file.path === 'columns.json'
      ? { ...file, text: '{"shown": ["id"], "widths": {}, "token": "canary-8"}' }
      : file,
  );
  const { lines } = await importFiles(files);
  const rejectedLines = lines.filter(({ result }) => result === 'refused');
  expect(rejectedLines).toMatchObject([
    {
      path: 'columns.json',
      result: 'refused',
      text: expect.stringMatching(/^token looks like a secret/) as string,
    },
  ]);
  const names = (await send(to, 'GET', '/searches')).json.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['Active', 'Mine']);
});

test('drops the secret of a connection only if its server changes', async () => {
  await fill();
  const files = await exportFiles(from);
  await importFiles(files);
  const readConnection = async () => (await send(to, 'GET', '/connections')).json.connections[0];
  const { id } = await readConnection();
  await send(to, 'PUT', `/connections/${id}/secret`, { secret: 'canary-secret-9' });
  const change = (before: string, after: string) =>
    files.map(({ path, text }) => ({ path, text: text.replace(before, after) }));
  expect((await importFiles(change('"read-only"', '"confirm"'))).lines[0]).toMatchObject({
    text: 'Changes mode.',
  });
  expect(await readConnection()).toMatchObject({ id, secretSet: true, mode: 'confirm' });
  const outcome = await importFiles(change('fhir.example.org', 'elsewhere.example.org'));
  expect(outcome.lines[0]?.text).toMatch(/^Changes baseUrl, mode\. The secret is not imported/);
  expect(await readConnection()).toMatchObject({ host: 'elsewhere.example.org', secretSet: false });
  expect((await readConnection()).id).not.toBe(id);
});

test('drops secrets that an imported CA file or default proxy would receive', async () => {
  await fill();
  const files = await exportFiles(from);
  await importFiles(files);
  const readConnection = async () => (await send(to, 'GET', '/connections')).json.connections[0];
  const setSecret = async () => {
    const { id } = await readConnection();
    await send(to, 'PUT', `/connections/${id}/secret`, { secret: 'canary-secret-10' });
  };
  await setSecret();
  const trusting = files.map(({ path, text }) => ({
    path,
    text: path.startsWith('connections/') ? text.replace('{', '{"caFile": "/etc/ssl/other-ca.pem",') : text,
  }));
  const sentence =
    'Changes caFile. The secret is not imported, because it belongs to another address, sign-in, CA file or proxy.';
  expect((await importFiles(trusting, true)).lines[0]?.text).toBe(sentence);
  expect(await readConnection()).toMatchObject({ secretSet: true });
  await importFiles(trusting);
  expect(await readConnection()).toMatchObject({ caFile: '/etc/ssl/other-ca.pem', secretSet: false });

  await setSecret();
  const passing = trusting.map(({ path, text }) => ({
    path,
    text: path === 'settings.json' ? text.replace('"system"', '"none"') : text,
  }));
  const would = (await importFiles(passing, true)).lines.filter(({ result }) => result === 'changed');
  const consequence = 'Changes proxy. Secrets that belong to the previous proxy are not imported: Ward/3.';
  expect(would).toMatchObject([{ path: 'settings.json', result: 'changed', text: consequence }]);
  expect(await readConnection()).toMatchObject({ secretSet: true });
  await importFiles(passing);
  expect(await readConnection()).toMatchObject({ secretSet: false });

  await setSecret();
  await send(to, 'PUT', '/preferences', { theme: 'light', proxy: { kind: 'none' } });
  expect(await readConnection()).toMatchObject({ secretSet: true });
  await send(to, 'PUT', '/preferences', { proxy: { kind: 'system' } });
  expect(await readConnection()).toMatchObject({ secretSet: false });
});

test('imports the default proxy without its password, which never goes to another proxy', async () => {
  const proxy = { kind: 'address', url: 'http://proxy.example.org:3128', user: 'ward' };
  const passwordOf = async () => (await send(to, 'GET', '/connections')).json.proxySecretSet;
  const setPassword = async (server: TestServer | undefined) => {
    await send(server, 'PUT', '/connections/default/secrets/proxy', { secret: 'canary-proxy-1' });
  };
  await send(from, 'PUT', '/preferences', { proxy: { user: proxy.user, url: proxy.url, kind: proxy.kind } });
  await setPassword(from);
  const files = await exportFiles(from);
  expect(JSON.stringify(files)).not.toContain('canary');
  expect((await importFiles(files)).lines).toMatchObject([
    { path: 'settings.json', result: 'changed', text: 'Changes proxy.' },
  ]);
  expect((await send(to, 'GET', '/preferences')).json.proxy).toEqual(proxy);
  expect(await exportFiles(to)).toEqual(files);
  expect(await passwordOf()).toBe(false);

  await setPassword(to);
  expect((await importFiles(files)).lines[0]?.result).toBe('same');
  expect(await passwordOf()).toBe(true);
  const filesWithOtherPort = files.map(({ path, text }) => ({ path, text: text.replace('3128', '3129') }));
  expect((await importFiles(filesWithOtherPort, true)).lines[0]?.text).toMatch(
    /^Changes proxy\. The previous proxy’s password/,
  );
  expect(await passwordOf()).toBe(true);
  await importFiles(filesWithOtherPort);
  expect(await passwordOf()).toBe(false);
  // The password was deleted, not only hidden.
  await importFiles(files);
  expect(await passwordOf()).toBe(false);
  const withPassword = files.map(({ path, text }) => ({
    path,
    text: text.replace('//', '//ward:canary-2@'),
  }));
  const [rejectedLine] = (await importFiles(withPassword)).lines;
  expect(rejectedLine).toMatchObject({ result: 'refused' });
  expect(rejectedLine?.text).toMatch(/^proxy\.url/);
  expect(rejectedLine?.text).not.toContain('canary');
});

test.each([[{}], [{ files: [] }], [{ files: [{ path: 'a' }], dryRun: true }], [[]]])(
  'rejects %j with 400 and a message',
  async (body) => {
    const answer = await send(to, 'POST', '/settings/files', body);
    expect([answer.status, answer.json.issue[0].details.text]).toEqual([
      400,
      expect.stringContaining('Send files'),
    ]);
  },
);
