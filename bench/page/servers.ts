/** The servers of the two pages, of the same build: ours, and a copy with the bare page in place of ours. */
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { configureBundle, root } from '../../scripts/bundles.ts';
import { startServing, type Server } from '../processes.ts';

/** Starts the built server on a new folder. */
export async function startWorkbench(folder: string): Promise<Server> {
  const dataDir = join(folder, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  return startServing(resolve(root, 'dist/server/cli.js'), dataDir);
}

/** Builds the bare page like the product's page, and starts a copy of the built server that serves it. */
export async function startBarePage(folder: string): Promise<Server> {
  const [home, dataDir] = [join(folder, 'bare'), join(folder, 'bare-data')];
  await mkdir(dataDir, { mode: 0o700 });
  await cp(resolve(root, 'dist/server'), join(home, 'server'), { recursive: true });
  await symlink(resolve(root, 'node_modules'), join(home, 'node_modules'));
  const config = configureBundle('page');
  await build({
    ...config,
    root: resolve(import.meta.dirname, 'bare'),
    build: { ...config.build, outDir: join(home, 'page') },
  });
  return startServing(join(home, 'server/cli.js'), dataDir);
}
