/**
 * Packs the desktop app, its installers and its portable zips into release/: `npm run dist`, or `npm run dist -- --dir`
 * with neither. Arguments go on to electron-builder. Where Electron cannot be had, one sentence says so and the exit code
 * is 1.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { buildBundles, isStale } from './build.ts';
import { root } from './bundles.ts';
import { electronFolder, findOrFetchElectron } from './electron-program.ts';
import { writeIcons } from './icons.ts';
import { writeNotices } from './notices.ts';
import { writeSbom } from './sbom.ts';

/** The packager's configurations: of the installers, which is its default, and of the zips. */
const installers: readonly string[] = [];
const zips = ['--config', 'electron-builder-portable.yml'];

async function pack(parameters: readonly string[]): Promise<number> {
  if (findOrFetchElectron() === undefined) {
    process.stderr.write('Nothing was packed: Electron could not be fetched from this machine.\n');
    return 1;
  }
  if (isStale()) await buildBundles();
  writeNotices();
  writeSbom();
  await writeIcons();
  const isFolder = parameters.includes('--dir');
  // What is here already is not fetched again; another system's or processor's is fetched by the packager.
  const here = existsSync(electronFolder) && isFolder && parameters.length === 1;
  const source = here ? [`-c.electronDist=${electronFolder}`] : [];
  for (const config of isFolder ? [installers] : [installers, zips]) {
    const { status } = spawnSync('electron-builder', [...config, ...parameters, ...source], {
      cwd: root,
      stdio: 'inherit',
    });
    if (status !== 0) return status ?? 1;
  }
  return 0;
}

process.exitCode = await pack(process.argv.slice(2));
