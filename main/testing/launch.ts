import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import type * as FakeElectron from './fake-electron.ts';
import { temporaryFolder } from './temp-folder.ts';

export const ORIGIN = 'http://127.0.0.1:40123';

/** Lets callbacks of pending promises run, up to 20 in a chain. */
export async function flushPromises(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** Loads main.ts with a new fake of Electron. `prepare` runs before and may change the fake and the data folder. */
export async function launch(prepare: (fake: typeof FakeElectron, folder: string) => void = () => undefined) {
  vi.resetModules();
  const fake = await import('./fake-electron.ts');
  vi.doMock('electron', () => fake);
  const folder = temporaryFolder();
  Object.assign(fake.paths, { userData: folder, logs: join(folder, 'logs') });
  // Only Electron has `process.resourcesPath`: the folder of app.asar.
  Object.assign(process, { resourcesPath: join(folder, 'resources') });
  prepare(fake, folder);
  await import('../main.ts');
  await flushPromises();
  return { fake, folder, log: () => readFileSync(join(folder, 'logs', 'chartkeeper.log'), 'utf8') };
}

/** Launches, and reports that the server process listens. */
export async function launchReady(prepare?: (fake: typeof FakeElectron, folder: string) => void) {
  const launched = await launch(prepare);
  const { fake } = launched;
  const getLatestChild = () => fake.getLatest(fake.children);
  getLatestChild().emit('message', { type: 'ready', origin: ORIGIN });
  await flushPromises();
  const window = fake.getLatest(fake.windows);
  window.webContents.mainFrame = { origin: ORIGIN };
  return { ...launched, getLatestChild, window };
}
