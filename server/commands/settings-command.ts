/** `chartkeeper settings`: writes the settings of a data folder as files, and takes such files over. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { withWorkspace } from './command-place.ts';
import {
  formerFiles,
  isSettingsPath,
  settingsFolders,
  settingsResults,
  type SettingsFile,
} from '../../core/app/settings-files.ts';
import { carriedSettings } from '../workspace/carried-settings.ts';

/** Writes a file for each setting, and removes those of a former export; anything else in the folder stays. */
export async function exportSettings(dataDir: string, folder: string): Promise<void> {
  const files = await withWorkspace(dataDir, (workspace) => carriedSettings(workspace).files());
  await mkdir(folder, { recursive: true });
  const found = await readFiles(folder);
  for (const path of formerFiles(found, files)) await rm(join(folder, path));
  const texts = new Map(found.map(({ path, text }) => [path, text]));
  for (const { path, text } of files) {
    if (texts.get(path) === text) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  process.stdout.write(`${files.length} files are in ${folder}. No secret is in them.\n`);
}

/** Prints a line for each file; answers whether none was refused. */
export async function importSettings(dataDir: string, folder: string, dryRun: boolean): Promise<boolean> {
  const files = await readFiles(folder);
  const { lines } = await withWorkspace(dataDir, (workspace) =>
    carriedSettings(workspace).takeOver(files, dryRun),
  );
  for (const { path, result, text } of lines) {
    process.stdout.write(`${result.padEnd(8)} ${path}${text === undefined ? '' : `  ${text}`}\n`);
  }
  const counts = settingsResults.map((result) => [
    lines.filter((line) => line.result === result).length,
    result,
  ]);
  const told = counts.filter(([count]) => count !== 0).map((parts) => parts.join(' '));
  process.stdout.write(`${told.join(', ')}.${dryRun ? ' Nothing was changed.' : ''}\n`);
  return lines.every(({ result }) => result !== 'refused');
}

/** The files of a folder that an import reads; what else lies in it is not looked at. */
async function readFiles(folder: string): Promise<SettingsFile[]> {
  const inner = await Promise.all(settingsFolders.map((name) => filesIn(join(folder, name), true)));
  const paths = [await filesIn(folder, false), ...inner]
    .flat()
    .map((path) => relative(folder, path).split(sep).join('/'))
    .filter(isSettingsPath);
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(folder, path), 'utf8') })));
}

/** Paths of the files in a folder; none where there is no such folder. */
async function filesIn(folder: string, recursive: boolean): Promise<string[]> {
  const entries = existsSync(folder) ? await readdir(folder, { recursive, withFileTypes: true }) : [];
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
