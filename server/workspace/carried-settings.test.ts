import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkConnection } from '../../core/app/connection-check.ts';
import { carriedSettings } from './carried-settings.ts';
import { openWorkspace } from './workspace.ts';

function settingsOf(baseUrl: string, change: object = {}) {
  const read = checkConnection({ name: 'Ward', baseUrl, ...change });
  if ('problems' in read) throw new Error('These settings are good');
  return read.value;
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

test('whoever keeps the secrets is told of a connection that goes elsewhere, by its former id', async () => {
  const workspace = await openedWorkspace();
  const moved: string[] = [];
  const settings = carriedSettings(workspace, {
    connection: (id) => {
      moved.push(id);
      return Promise.resolve();
    },
    proxyBefore: () => Promise.resolve(),
  });
  const { connections } = workspace;
  await connections.add(settingsOf('https://fhir.example.org/r4'));
  const files = await settings.files();
  const [former] = await connections.list();
  const id = former?.id ?? '';
  await settings.takeOver(files, false);
  expect(moved).toEqual([]);
  const elsewhere = files.map(({ path, text }) => ({ path, text: text.replace('fhir.', 'other.') }));
  await settings.takeOver(elsewhere, true);
  expect(moved).toEqual([]);
  await settings.takeOver(elsewhere, false);
  expect(moved).toEqual([id]);
  expect(await connections.find(id)).toBeUndefined();
});

test('without the secrets at hand another default proxy gives a new id to each connection whose secret goes through it', async () => {
  const workspace = await openedWorkspace();
  const settings = carriedSettings(workspace);
  const { connections } = workspace;
  const bearer = { authentication: { kind: 'bearer' } };
  await connections.add(settingsOf('https://fhir.example.org/r4', { name: 'Through', ...bearer }));
  await connections.add(settingsOf('https://fhir.example.org/r4', { name: 'Open' }));
  const own = { name: 'Own', proxy: { kind: 'none' }, ...bearer };
  await connections.add(settingsOf('https://fhir.example.org/r4', own));
  const idsBefore = (await connections.list()).map(({ id }) => id);
  const files = await settings.files();
  await settings.takeOver(files, false);
  const idsNow = async () => (await connections.list()).map(({ id }) => id);
  expect(await idsNow()).toEqual(idsBefore);
  const moved = files.map(({ path, text }) => ({
    path,
    text: path === 'settings.json' ? text.replace('"system"', '"none"') : text,
  }));
  const would = await settings.takeOver(moved, true);
  expect(would.lines.find(({ path }) => path === 'settings.json')?.text).toBe(
    'Changes proxy. Secrets that belong to the former proxy are not imported: Through.',
  );
  expect(await idsNow()).toEqual(idsBefore);
  await settings.takeOver(moved, false);
  const after = await idsNow();
  expect(after.map((id, at) => id === idsBefore[at])).toEqual([false, true, true]);
});
