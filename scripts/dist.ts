/**
 * Packs the desktop app, its installers and its portable zips into release/: `npm run dist`. `npm run dist --
 * --dir` only packs the app. Arguments are passed to electron-builder. Without Electron it prints one
 * sentence and exits with code 1.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { buildBundles, isStale } from './build.ts';
import { root } from './bundles.ts';
import { electronFolder, findOrFetchElectron } from './electron-program.ts';
import { writeIcons } from './icons.ts';
import { writeNotices } from './notices.ts';
import { writeSbom } from './sbom.ts';

/** Configurations of electron-builder: the default for the installers, and one for the zips. */
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
  // A matching Electron on this machine is used. The packager downloads Electron for another system or processor.
  const isLocalUsable = existsSync(electronFolder) && isFolder && parameters.length === 1;
  const source = isLocalUsable ? [`-c.electronDist=${electronFolder}`] : [];
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
