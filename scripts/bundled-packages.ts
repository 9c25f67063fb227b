/**
 * Records which packages go into a bundle, to check their licenses. Imports count, not the list of
 * dependencies.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const folder = resolve(import.meta.dirname, '../dist/packages');
const packagePattern = /^.*?\/(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//;

/**
 * Returns the package folder of a module, below the project's. Returns undefined for a module of the project.
 */
export function getPackageFolder(moduleId: string): string | undefined {
  return packagePattern.exec(moduleId.replaceAll('\\', '/'))?.[1];
}

/**
 * Creates a plugin that writes the package folders of a bundle's modules as a list into `packages` beside the
 * bundle.
 */
export function recordPackages(bundle: string): Plugin {
  const packageFolders = new Set<string>();
  let target = folder;
  return {
    name: 'record-packages',
    configResolved({ root, build }) {
      target = resolve(root, build.outDir, '../packages');
    },
    generateBundle(_options, output) {
      const chunks = Object.values(output).filter((file) => file.type === 'chunk');
      for (const id of chunks.flatMap(({ moduleIds }) => moduleIds)) {
        const packageFolder = getPackageFolder(id);
        if (packageFolder !== undefined) packageFolders.add(packageFolder);
      }
      mkdirSync(target, { recursive: true });
      writeFileSync(join(target, `${bundle}.json`), JSON.stringify([...packageFolders].sort(), null, 2));
    },
  };
}

/** Returns the package folders of all bundles that were built. */
export function listBundledPackages(): readonly string[] {
  if (!existsSync(folder)) return [];
  const lists = readdirSync(folder).map(
    (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as string[],
  );
  return [...new Set(lists.flat())].sort();
}
