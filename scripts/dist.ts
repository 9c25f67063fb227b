/**
 * Packs the desktop app and its installers into release/: `npm run dist`, or `npm run dist -- --dir` without installers.
 * Arguments go on to electron-builder. Where Electron cannot be had, one sentence says so and the exit code is 1.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { buildBundles, isStale } from './build.ts';
import { root } from './bundles.ts';
import { electronFolder, findOrFetchElectron } from './electron-program.ts';
import { writeIcons } from './icons.ts';
import { writeNotices } from './notices.ts';
import { writeSbom } from './sbom.ts';

/** Parameters that ask for this machine's own system and processor. */
const own = ['--dir'];

async function pack(parameters: readonly string[]): Promise<number> {
  if (findOrFetchElectron() === undefined) {
    process.stderr.write('Nothing was packed: Electron could not be fetched from this machine.\n');
    return 1;
  }
  if (isStale()) await buildBundles();
  writeNotices();
  writeSbom();
  await writeIcons();
  // What is here already is not fetched again; another system's is fetched by the packager.
  const here = existsSync(electronFolder) && parameters.every((parameter) => own.includes(parameter));
  const source = here ? [`-c.electronDist=${electronFolder}`] : [];
  const { status } = spawnSync('electron-builder', [...parameters, ...source], {
    cwd: root,
    stdio: 'inherit',
  });
  return status ?? 1;
}

process.exitCode = await pack(process.argv.slice(2));
