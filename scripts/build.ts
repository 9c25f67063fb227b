/**
 * Builds what is named (default: everything) into dist/. `--if-stale` builds only where a source file is newer than
 * the last build, so that starting again costs nothing.
 */
import { existsSync, globSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { ensureSchema } from './schema.ts';
import { checkLicenses } from './notices.ts';
import { bundle, bundleNames, root, type BundleName } from './bundles.ts';

const stamp = resolve(root, 'dist/.built');
const sources = [
  '{core,server,main,renderer}/**/*',
  'scripts/{bundle*,native*,schema*}.ts',
  'docs/{guide,images}/*',
  'package-lock.json',
];

/** Whether any source is newer than the last whole build. */
export function isStale(): boolean {
  if (!existsSync(stamp)) return true;
  const built = statSync(stamp).mtimeMs;
  return globSync(sources, {
    cwd: root,
    exclude: ['**/*.test.*', '**/generated/**', '**/fixtures', '**/fixtures/**'],
  }).some((file) => statSync(resolve(root, file)).mtimeMs > built);
}

/** Builds the named bundles, one after the other; behind all of them, the licences of what is in them are checked. */
export async function buildBundles(names: readonly BundleName[] = bundleNames): Promise<void> {
  ensureSchema();
  for (const name of names) await build(bundle(name));
  if (names.length === bundleNames.length) {
    checkLicenses();
    mkdirSync(resolve(root, 'dist'), { recursive: true });
    writeFileSync(stamp, '');
  }
}

/** Builds everything, and says so, where a source is newer than the last whole build. */
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
