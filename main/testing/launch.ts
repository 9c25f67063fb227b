import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import type * as Fake from './fake-electron.ts';
import { temporaryFolder } from './temp-folder.ts';

export const ORIGIN = 'http://127.0.0.1:40123';

/** Runs all callbacks of resolved promises. */
export async function flushPromises(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** Loads main.ts with a new fake. `prepare` may first change the fake and the user's folder. */
export async function launch(prepare: (fake: typeof Fake, folder: string) => void = () => undefined) {
  vi.resetModules();
  const fake = await import('./fake-electron.ts');
  vi.doMock('electron', () => fake);
  const folder = temporaryFolder();
  Object.assign(fake.paths, { userData: folder, logs: join(folder, 'logs') });
  // Node has no such member. Electron's is the folder of the archive.
  Object.assign(process, { resourcesPath: join(folder, 'resources') });
  prepare(fake, folder);
  await import('../main.ts');
  await flushPromises();
  return { fake, folder, log: () => readFileSync(join(folder, 'logs', 'chartkeeper.log'), 'utf8') };
}

/** Launches, and reports that the server process listens. */
export async function launchReady(prepare?: (fake: typeof Fake, folder: string) => void) {
  const launched = await launch(prepare);
  const { fake } = launched;
  const child = () => fake.getLatest(fake.children);
  child().emit('message', { type: 'ready', origin: ORIGIN });
  await flushPromises();
  const window = fake.getLatest(fake.windows);
  window.webContents.mainFrame = { origin: ORIGIN };
  return { ...launched, child, window };
}
