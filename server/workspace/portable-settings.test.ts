import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkConnection } from '../../core/app/connection-check.ts';
import { createPortableSettings } from './portable-settings.ts';
import { openWorkspace } from './workspace.ts';

function settingsOf(baseUrl: string, change: object = {}) {
  const parsed = checkConnection({ name: 'Ward', baseUrl, ...change });
  if ('problems' in parsed) throw new Error('These settings are good');
  return parsed.value;
}

async function openedWorkspace() {
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-carried-'));
  const workspace = await openWorkspace(join(folder, 'workspace.db'));
  onTestFinished(async () => {
    await workspace.close();
    await rm(folder, { recursive: true });
  });
  return workspace;
}

test('reports a moved connection by its previous id before its secrets are lost', async () => {
  const workspace = await openedWorkspace();
  const movedIds: string[] = [];
  const settings = createPortableSettings(workspace, {
    connection: (id) => {
      movedIds.push(id);
      return Promise.resolve();
    },
    proxyBefore: () => Promise.resolve(),
  });
  const { connections } = workspace;
  await connections.add(settingsOf('https://fhir.example.org/r4'));
  const files = await settings.files();
  const [previousConnection] = await connections.list();
  const id = previousConnection?.id ?? '';
  await settings.takeOver(files, false);
  expect(movedIds).toEqual([]);
  const movedFiles = files.map(({ path, text }) => ({ path, text: text.replace('fhir.', 'other.') }));
  await settings.takeOver(movedFiles, true);
  expect(movedIds).toEqual([]);
  await settings.takeOver(movedFiles, false);
  expect(movedIds).toEqual([id]);
  expect(await connections.find(id)).toBeUndefined();
});

test('renews the ids of connections with secrets behind a changed default proxy', async () => {
  const workspace = await openedWorkspace();
  const settings = createPortableSettings(workspace);
  const { connections } = workspace;
  const bearer = { authentication: { kind: 'bearer' } };
  await connections.add(settingsOf('https://fhir.example.org/r4', { name: 'Through', ...bearer }));
  await connections.add(settingsOf('https://fhir.example.org/r4', { name: 'Open' }));
  const ownProxySettings = { name: 'Own', proxy: { kind: 'none' }, ...bearer };
  await connections.add(settingsOf('https://fhir.example.org/r4', ownProxySettings));
  const idsBefore = (await connections.list()).map(({ id }) => id);
  const files = await settings.files();
  await settings.takeOver(files, false);
  const idsNow = async () => (await connections.list()).map(({ id }) => id);
  expect(await idsNow()).toEqual(idsBefore);
  const movedFiles = files.map(({ path, text }) => ({
    path,
    text: path === 'settings.json' ? text.replace('"system"', '"none"') : text,
  }));
  const dryRun = await settings.takeOver(movedFiles, true);
  expect(dryRun.lines.find(({ path }) => path === 'settings.json')?.text).toBe(
    'Changes proxy. Secrets that belong to the previous proxy are not imported: Through.',
  );
  expect(await idsNow()).toEqual(idsBefore);
  await settings.takeOver(movedFiles, false);
  const after = await idsNow();
  expect(after.map((id, index) => id === idsBefore[index])).toEqual([false, true, true]);
});

test('reports no lost secret for a connection from the same files', async () => {
  const [from, to] = [await openedWorkspace(), await openedWorkspace()];
  await from.connections.add(
    settingsOf('https://fhir.example.org/r4', { authentication: { kind: 'bearer' } }),
  );
  await from.changePreferences({ proxy: { kind: 'none' } });
  const files = await createPortableSettings(from).files();
  const { lines } = await createPortableSettings(to).takeOver(files, true);
  expect(lines.filter(({ result }) => result !== 'same')).toEqual([
    { path: 'connections/Ward.json', result: 'new' },
    {
      path: 'settings.json',
      result: 'changed',
      messageCode: 'settings.changes',
      parameters: { members: 'proxy' },
      text: 'Changes proxy.',
    },
  ]);
});
