import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { configureBundle, root } from '../bundles.ts';
import { ensureSchema } from '../schema.ts';

/**
 * Global setup of the tests on a desktop build: builds the server and removes the folder of the shared edition. Fails if
 * the build has no such folder. Returns the teardown.
 */
export async function setup(): Promise<() => void> {
  ensureSchema();
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-desktop-'));
  const config = configureBundle('server');
  const outDir = join(folder, 'server');
  await build({ ...config, build: { ...config.build, outDir, sourcemap: false } });
  rmSync(join(outDir, 'shared'), { recursive: true });
  symlinkSync(resolve(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  process.env.DESKTOP_CLI = join(outDir, 'cli.js');
  return () => rmSync(folder, { recursive: true, force: true });
}
