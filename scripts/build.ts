/**
 * Builds the named bundles (default: all) into dist/. `--if-stale` builds only if a source file is newer than
 * the last build, so that another start costs nothing.
 */
import { existsSync, globSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { ensureSchema } from './schema.ts';
import { checkLicenses } from './notices.ts';
import { configureBundle, bundleNames, root, type BundleName } from './bundles.ts';

const markerFile = resolve(root, 'dist/.built');
const sources = [
  '{core,server,main,renderer}/**/*',
  'scripts/{bundle*,native*,schema*}.ts',
  'docs/{guide,images}/*',
  'package-lock.json',
];

/** Returns true if a source is newer than the last complete build. */
export function isStale(): boolean {
  if (!existsSync(markerFile)) return true;
  const builtAtMs = statSync(markerFile).mtimeMs;
  return globSync(sources, {
    cwd: root,
    exclude: ['**/*.test.*', '**/generated/**', '**/fixtures', '**/fixtures/**'],
  }).some((file) => statSync(resolve(root, file)).mtimeMs > builtAtMs);
}

/**
 * Builds the named bundles one after another. After a complete build it checks the licenses of their
 * packages.
 */
export async function buildBundles(names: readonly BundleName[] = bundleNames): Promise<void> {
  ensureSchema();
  for (const name of names) await build(configureBundle(name));
  if (names.length === bundleNames.length) {
    checkLicenses();
    mkdirSync(resolve(root, 'dist'), { recursive: true });
    writeFileSync(markerFile, '');
  }
}

/** Builds all bundles, with a message, if a source is newer than the last complete build. */
export async function ensureBuilt(): Promise<void> {
  if (!isStale()) return;
  process.stderr.write('Building, once after each change of the sources…\n');
  await buildBundles();
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { 'if-stale': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const names = bundleNames.filter((name) => positionals.length === 0 || positionals.includes(name));
  if (!values['if-stale'] || isStale()) await buildBundles(names);
}
