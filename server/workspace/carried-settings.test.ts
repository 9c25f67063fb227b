import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkConnection } from '../../core/app/connection-check.ts';
import { carriedSettings } from './carried-settings.ts';
import { openWorkspace } from './workspace.ts';

function settingsOf(baseUrl: string) {
  const read = checkConnection({ name: 'Ward', baseUrl });
  if ('problems' in read) throw new Error('These settings are good');
  return read.value;
}

test('whoever keeps the secrets is told of a connection that goes elsewhere, by its former id', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-carried-'));
  const workspace = await openWorkspace(join(folder, 'workspace.db'));
  onTestFinished(async () => {
    await workspace.close();
    await rm(folder, { recursive: true });
  });
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
