import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import type * as Fake from './fake-electron.ts';
import { temporaryFolder } from './temp-folder.ts';

export const ORIGIN = 'http://127.0.0.1:40123';

/** Lets everything that waits for resolved promises run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** Loads main.ts afresh against a fresh fake, which `prepare` may change first, with the folder that is the user's. */
export async function launch(prepare: (fake: typeof Fake, folder: string) => void = () => undefined) {
  vi.resetModules();
  const fake = await import('./fake-electron.ts');
  vi.doMock('electron', () => fake);
  const folder = temporaryFolder();
  Object.assign(fake.paths, { userData: folder, logs: join(folder, 'logs') });
  // Node has no such member; Electron's is the archive's folder.
  Object.assign(process, { resourcesPath: join(folder, 'resources') });
  prepare(fake, folder);
  await import('../main.ts');
  await settle();
  return { fake, folder, log: () => readFileSync(join(folder, 'logs', 'chartkeeper.log'), 'utf8') };
}

/** Launches, and lets the server process report that it listens. */
export async function launchReady(prepare?: (fake: typeof Fake, folder: string) => void) {
  const launched = await launch(prepare);
  const { fake } = launched;
  const child = () => fake.newest(fake.children);
  child().emit('message', { type: 'ready', origin: ORIGIN });
  await settle();
  const window = fake.newest(fake.windows);
  window.webContents.mainFrame = { origin: ORIGIN };
  return { ...launched, child, window };
}
