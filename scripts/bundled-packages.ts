/** Notes which packages go into a bundle, so that the licence of each is known: what is imported, not what is listed. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const folder = resolve(import.meta.dirname, '../dist/packages');
const home = /^.*?\/(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//;

/** The package folder that a module lies in, below the project's; undefined for the project's own. */
export function packageOf(moduleId: string): string | undefined {
  return home.exec(moduleId.replaceAll('\\', '/'))?.[1];
}

/** A plugin that writes the package folders of a bundle's modules as a list: into `packages` beside the bundle. */
export function recordPackages(bundle: string): Plugin {
  const found = new Set<string>();
  let target = folder;
  return {
    name: 'record-packages',
    configResolved({ root, build }) {
      target = resolve(root, build.outDir, '../packages');
    },
    generateBundle(_options, output) {
      const chunks = Object.values(output).filter((one) => one.type === 'chunk');
      for (const id of chunks.flatMap(({ moduleIds }) => moduleIds)) {
        const home = packageOf(id);
        if (home !== undefined) found.add(home);
      }
      mkdirSync(target, { recursive: true });
      writeFileSync(join(target, `${bundle}.json`), JSON.stringify([...found].sort(), null, 2));
    },
  };
}

/** Package folders of all bundles that were built. */
export function bundledPackages(): readonly string[] {
  if (!existsSync(folder)) return [];
  const lists = readdirSync(folder).map(
    (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as string[],
  );
  return [...new Set(lists.flat())].sort();
}
