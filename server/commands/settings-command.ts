/** `chartkeeper settings`: writes the settings of a data folder as files, and takes such files over. */
import { randomUUID } from 'node:crypto';
import { existsSync, type Dirent, type Stats } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { withWorkspace } from './command-place.ts';
import {
  listPreviousFiles,
  isSettingsPath,
  settingsFolders,
  settingsResults,
  type SettingsFile,
  type SettingsLine,
} from '../../core/app/settings-files.ts';
import { formatList, formatPlural } from '../../core/text/language.ts';
import { fileBehind, oddKindOf } from '../import/odd-files.ts';
import { codeOf } from '../store/store-error.ts';
import { createPortableSettings } from '../workspace/portable-settings.ts';

/**
 * Writes a file for each setting, and removes those of a former export; anything else in the folder stays. Answers whether
 * it did: where a link stands in the place of a file, nothing is written.
 */
export async function exportSettings(dataDir: string, folder: string): Promise<boolean> {
  const files = await withWorkspace(dataDir, (workspace) => createPortableSettings(workspace).files());
  await mkdir(folder, { recursive: true });
  const obstacles = await obstaclesTo(folder, files);
  if (obstacles.length > 0) {
    printLines(obstacles);
    process.stdout.write('Nothing was written. Remove the refused items, or choose another folder.\n');
    return false;
  }
  const { files: found } = await readFiles(folder);
  for (const path of listPreviousFiles(found, files)) await rm(join(folder, path));
  const texts = new Map(found.map(({ path, text }) => [path, text]));
  for (const { path, text } of files) {
    if (texts.get(path) === text) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await putInPlace(join(folder, path), text);
  }
  process.stdout.write(`${formatPlural(files.length, exportForms, { folder })}\n`);
  return true;
}

const exportForms = {
  one: '{n} file written to {folder}. Secrets are not included.',
  other: '{n} files written to {folder}. Secrets are not included.',
};

/** Prints a line for each file; answers whether none was refused. */
export async function importSettings(dataDir: string, folder: string, dryRun: boolean): Promise<boolean> {
  const { files, unread } = await readFiles(folder);
  const { lines: taken } = await withWorkspace(dataDir, (workspace) =>
    createPortableSettings(workspace).takeOver(files, dryRun),
  );
  const lines = [...unread, ...taken];
  printLines(lines);
  const counts = settingsResults.map((result) => [
    lines.filter((line) => line.result === result).length,
    result,
  ]);
  const told = counts.filter(([count]) => count !== 0).map((parts) => parts.join(' '));
  process.stdout.write(`${formatList(told, 'unit')}.${dryRun ? ' Nothing was changed.' : ''}\n`);
  return lines.every(({ result }) => result !== 'refused');
}

function printLines(lines: readonly SettingsLine[]): void {
  for (const { path, result, text } of lines) {
    process.stdout.write(`${result.padEnd(8)} ${path}${text === undefined ? '' : `  ${text}`}\n`);
  }
}

/** Returns a refusal for whatever stands where an export writes a file or a folder, and is none. */
async function obstaclesTo(folder: string, files: readonly SettingsFile[]): Promise<SettingsLine[]> {
  const filePaths = new Set(files.map(({ path }) => path));
  const folders = files.flatMap(({ path }) => {
    const names = path.split('/').slice(0, -1);
    return names.map((_, at) => names.slice(0, at + 1).join('/'));
  });
  const obstacles: SettingsLine[] = [];
  for (const path of [...new Set([...settingsFolders, ...folders]), ...filePaths]) {
    const found = await foundAt(join(folder, path));
    const isFree = !found || (filePaths.has(path) ? found.isFile() : found.isDirectory());
    if (isFree) continue;
    const kind = oddKindOf(found) ?? (found.isDirectory() ? 'folder' : 'file');
    obstacles.push({ path, result: 'refused', text: `It is a ${kind}.` });
  }
  return obstacles;
}

/** Returns what stands at a path itself, links included; undefined where nothing does. */
async function foundAt(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

/** Writes beside the file and puts that in its place: a crash leaves the former file or the new one. */
async function putInPlace(path: string, text: string): Promise<void> {
  const beside = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    await writeFile(beside, text, { flag: 'wx', flush: true });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

interface ReadFolder {
  readonly files: readonly SettingsFile[];
  /** A refusal for each link out of the folder, and for each pipe, socket and device. */
  readonly unread: readonly SettingsLine[];
}

/** Reads the files of a folder that an import takes; what else lies in it is not looked at. */
async function readFiles(folder: string): Promise<ReadFolder> {
  const top = existsSync(folder) ? await readdir(folder, { withFileTypes: true }) : [];
  const inner = top
    .filter((entry) => entry.isDirectory() && settingsFolders.includes(entry.name))
    .map(({ name }) => readdir(join(folder, name), { recursive: true, withFileTypes: true }));
  const files: SettingsFile[] = [];
  const unread: SettingsLine[] = [];
  for (const entry of [...top, ...(await Promise.all(inner)).flat()]) {
    const at = join(entry.parentPath, entry.name);
    const path = relative(folder, at).split(sep).join('/');
    if (entry.isDirectory() || !(isSettingsPath(path) || settingsFolders.includes(path))) continue;
    const refusal = await refusalOf(entry, at, folder);
    if (refusal === undefined) files.push({ path, text: await readFile(at, 'utf8') });
    else unread.push({ path, result: 'refused', text: refusal });
  }
  return { files, unread };
}

async function refusalOf(entry: Dirent, at: string, folder: string): Promise<string | undefined> {
  const kind = oddKindOf(entry);
  if (kind !== 'link') return kind && `It is a ${kind} and was not read.`;
  const target = await fileBehind(at, folder);
  return target === undefined
    ? 'It is a link to something other than a file in the folder and was not read.'
    : undefined;
}
