/**
 * Builds the named bundles (default: all) into dist/. `--if-stale` builds only if a source file is newer than
 * the last build, so that another start costs nothing.
 */
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { encodings, getCopyFolder } from '../server/http/page.ts';
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
  if (names.includes('page')) compressPage(resolve(root, 'dist/page'));
  if (names.length === bundleNames.length) {
    checkLicenses();
    mkdirSync(resolve(root, 'dist'), { recursive: true });
    writeFileSync(markerFile, '');
  }
}

/** Below this size in bytes, a compressed response is hardly shorter. */
const minCompressedBytes = 1024;

const compress = {
  // Level 9 of 11: the highest takes ten times as long and saves a few percent.
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: 9 }),
};

/** Writes the compressed copies of the text files of a page, so that the server need not compress them. */
function compressPage(pageFolder: string): void {
  for (const file of globSync('**/*.{js,css,html,svg,ttf}', { cwd: pageFolder })) {
    const bytes = readFileSync(resolve(pageFolder, file));
    if (bytes.length < minCompressedBytes) continue;
    for (const encoding of encodings) {
      const copy = resolve(getCopyFolder(pageFolder, encoding), file);
      mkdirSync(dirname(copy), { recursive: true });
      writeFileSync(copy, compress[encoding](bytes));
    }
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
