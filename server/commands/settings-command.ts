/** `chartkeeper settings`: exports the settings of a data folder as files and imports such files. */
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
 * Writes a file per setting and removes files of a previous export that are no longer needed. Other files stay. Returns
 * false and writes nothing if a link is in place of a file.
 */
export async function exportSettings(dataDir: string, folder: string): Promise<boolean> {
  const files = await withWorkspace(dataDir, (workspace) => createPortableSettings(workspace).files());
  await mkdir(folder, { recursive: true });
  const obstacles = await findObstacles(folder, files);
  if (obstacles.length > 0) {
    printLines(obstacles);
    process.stdout.write('Nothing was written. Remove the refused items, or choose another folder.\n');
    return false;
  }
  const { files: existingFiles } = await readFiles(folder);
  for (const path of listPreviousFiles(existingFiles, files)) await rm(join(folder, path));
  const texts = new Map(existingFiles.map(({ path, text }) => [path, text]));
  for (const { path, text } of files) {
    if (texts.get(path) === text) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await replaceFile(join(folder, path), text);
  }
  process.stdout.write(`${formatPlural(files.length, exportForms, { folder })}\n`);
  return true;
}

const exportForms = {
  one: '{n} file written to {folder}. Secrets are not included.',
  other: '{n} files written to {folder}. Secrets are not included.',
};

/** Imports settings files and prints a line per file. Returns true if no file was rejected. */
export async function importSettings(dataDir: string, folder: string, dryRun: boolean): Promise<boolean> {
  const { files, rejectedLines } = await readFiles(folder);
  const { lines: importedLines } = await withWorkspace(dataDir, (workspace) =>
    createPortableSettings(workspace).takeOver(files, dryRun),
  );
  const lines = [...rejectedLines, ...importedLines];
  printLines(lines);
  const counts = settingsResults.map((result) => [
    lines.filter((line) => line.result === result).length,
    result,
  ]);
  const shownCounts = counts.filter(([count]) => count !== 0).map((parts) => parts.join(' '));
  process.stdout.write(`${formatList(shownCounts, 'unit')}.${dryRun ? ' Nothing was changed.' : ''}\n`);
  return lines.every(({ result }) => result !== 'refused');
}

function printLines(lines: readonly SettingsLine[]): void {
  for (const { path, result, text } of lines) {
    process.stdout.write(`${result.padEnd(8)} ${path}${text === undefined ? '' : `  ${text}`}\n`);
  }
}

/** Returns a line for each existing entry that prevents an export from writing a file or folder. */
async function findObstacles(folder: string, files: readonly SettingsFile[]): Promise<SettingsLine[]> {
  const filePaths = new Set(files.map(({ path }) => path));
  const folders = files.flatMap(({ path }) => {
    const names = path.split('/').slice(0, -1);
    return names.map((_, depth) => names.slice(0, depth + 1).join('/'));
  });
  const obstacles: SettingsLine[] = [];
  for (const path of [...new Set([...settingsFolders, ...folders]), ...filePaths]) {
    const existingEntry = await findEntry(join(folder, path));
    const isFree =
      !existingEntry || (filePaths.has(path) ? existingEntry.isFile() : existingEntry.isDirectory());
    if (isFree) continue;
    const kind = oddKindOf(existingEntry) ?? (existingEntry.isDirectory() ? 'folder' : 'file');
    obstacles.push({ path, result: 'refused', text: `It is a ${kind}.` });
  }
  return obstacles;
}

/** Returns the entry at a path, without following links. Returns undefined if there is no entry. */
async function findEntry(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

/** Writes a temporary file, then renames it. A crash leaves the previous file or the new one. */
async function replaceFile(path: string, text: string): Promise<void> {
  const temporaryPath = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    await writeFile(temporaryPath, text, { flag: 'wx', flush: true });
    await rename(temporaryPath, path);
  } catch (error) {
    await rm(temporaryPath, { force: true });
    throw error;
  }
}

interface ReadFolder {
  readonly files: readonly SettingsFile[];
  /** A line for each link out of the folder, pipe, socket and device. */
  readonly rejectedLines: readonly SettingsLine[];
}

/** Reads the settings files of a folder and ignores all other entries. */
async function readFiles(folder: string): Promise<ReadFolder> {
  const top = existsSync(folder) ? await readdir(folder, { withFileTypes: true }) : [];
  const inner = top
    .filter((entry) => entry.isDirectory() && settingsFolders.includes(entry.name))
    .map(({ name }) => readdir(join(folder, name), { recursive: true, withFileTypes: true }));
  const files: SettingsFile[] = [];
  const rejectedLines: SettingsLine[] = [];
  for (const entry of [...top, ...(await Promise.all(inner)).flat()]) {
    const entryPath = join(entry.parentPath, entry.name);
    const path = relative(folder, entryPath).split(sep).join('/');
    if (entry.isDirectory() || !(isSettingsPath(path) || settingsFolders.includes(path))) continue;
    const rejection = await findRejection(entry, entryPath, folder);
    if (rejection === undefined) files.push({ path, text: await readFile(entryPath, 'utf8') });
    else rejectedLines.push({ path, result: 'refused', text: rejection });
  }
  return { files, rejectedLines };
}

async function findRejection(entry: Dirent, entryPath: string, folder: string): Promise<string | undefined> {
  const kind = oddKindOf(entry);
  if (kind !== 'link') return kind && `It is a ${kind} and was not read.`;
  const target = await fileBehind(entryPath, folder);
  return target === undefined
    ? 'It is a link to something other than a file in the folder and was not read.'
    : undefined;
}
