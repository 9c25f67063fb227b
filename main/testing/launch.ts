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

/** Loads main.ts afresh against a fresh fake, which `prepare` may change first. */
export async function launch(prepare: (fake: typeof Fake) => void = () => undefined) {
  vi.resetModules();
  const fake = await import('./fake-electron.ts');
  vi.doMock('electron', () => fake);
  const folder = temporaryFolder();
  Object.assign(fake.paths, { userData: folder, logs: join(folder, 'logs') });
  prepare(fake);
  await import('../main.ts');
  await settle();
  return { fake, folder, log: () => readFileSync(join(folder, 'logs', 'chartkeeper.log'), 'utf8') };
}

/** Launches, and lets the server process report that it listens. */
export async function launchReady(prepare?: (fake: typeof Fake) => void) {
  const launched = await launch(prepare);
  const { fake } = launched;
  const child = () => fake.newest(fake.children);
  child().emit('message', { type: 'ready', origin: ORIGIN });
  await settle();
  const window = fake.newest(fake.windows);
  window.webContents.mainFrame = { origin: ORIGIN };
  return { ...launched, child, window };
}
