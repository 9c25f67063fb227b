import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { app, dialog, type BrowserWindow } from 'electron';
import { linkScheme, readRecordLink, type RecordLink } from '../core/app/record-link.ts';
import type { OpenedFile, OpenRequest } from '../core/app/shell.ts';
import { text } from './text.ts';

/** Extensions of importable files: records, Bundles, and one record per line. */
const fileEndings = ['json', 'ndjson', 'jsonl'] as const;

/**
 * Limit in bytes for all files of one opening, because they are held in memory. The page reads larger files
 * in chunks.
 */
const MAX_BYTES = 200 * 1024 * 1024;

/** Files and links in the arguments of a start. */
interface OpenTargets {
  readonly paths: readonly string[];
  readonly links: readonly RecordLink[];
}

function hasEnding(name: string): boolean {
  const lower = name.toLowerCase();
  return fileEndings.some((ending) => lower.endsWith(`.${ending}`));
}

/** Reads the arguments of a start in `folder`: files and `chartkeeper:` links. Ignores all others. */
export function readArguments(argv: readonly string[], folder: string): OpenTargets {
  const words = argv.slice(1).filter((word) => !word.startsWith('-'));
  const isLink = (word: string) => word.toLowerCase().startsWith(`${linkScheme}:`);
  return {
    links: words.filter(isLink).flatMap((word) => readRecordLink(word) ?? []),
    paths: words.filter((word) => !isLink(word) && hasEnding(word)).map((word) => resolve(folder, word)),
  };
}

/** Reads the files for the page. Returns a message for each skipped file. */
export async function readFiles(paths: readonly string[], maxBytes = MAX_BYTES) {
  const files: OpenedFile[] = [];
  const skippedNames: string[] = [];
  let remainingBytes = maxBytes;
  for (const path of paths) {
    const name = basename(path);
    const content = hasEnding(name) ? await readOpenedFile(path, remainingBytes) : text.wrongEnding(name);
    if (typeof content === 'string') skippedNames.push(content);
    else {
      remainingBytes -= content.byteLength;
      files.push({ name, bytes: content });
    }
  }
  return { files, skippedNames };
}

async function readOpenedFile(path: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | string> {
  const name = basename(path);
  try {
    const fileStats = await stat(path);
    if (!fileStats.isFile()) return text.noFile(name);
    if (fileStats.size > maxBytes) return text.tooLarge(name, MAX_BYTES / 1024 / 1024);
    return new Uint8Array(await readFile(path));
  } catch {
    return text.notRead(name);
  }
}

export type Opening = ReturnType<typeof setupOpening>;

/**
 * Collects files and links from the arguments of this and later starts, and from the system's events (macOS).
 * Must be called before Electron is ready, because the first events come earlier. A portable copy or a
 * self-check does not register as the program for links.
 */
export function setupOpening(isApart: boolean) {
  const earlyTargets: OpenTargets[] = [readArguments(process.argv, process.cwd())];
  let onOpen: (targets: OpenTargets) => void = (targets) => earlyTargets.push(targets);
  app.on('open-file', (event, path) => {
    event.preventDefault();
    onOpen({ paths: [path], links: [] });
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const link = readRecordLink(url);
    onOpen({ paths: [], links: link ? [link] : [] });
  });
  app.on('second-instance', (_event, argv, folder) => onOpen(readArguments(argv, folder)));
  // A copy that runs from its sources would replace the installed program for links.
  if (app.isPackaged && !isApart) app.setAsDefaultProtocolClient(linkScheme);
  return {
    /** Passes all later targets to `next`. Passes earlier targets at once, even without a window. */
    begin(next: typeof onOpen): void {
      onOpen = next;
      for (const targets of earlyTargets) next(targets);
    },
  };
}

/** Reads the files of `targets` and passes all requests to `put`. Shows a message about skipped files. */
export async function open(
  { paths, links }: OpenTargets,
  window: BrowserWindow,
  sendRequest: (request: OpenRequest) => void,
): Promise<void> {
  for (const link of links) sendRequest({ kind: 'record', link });
  if (paths.length === 0) return;
  const { files, skippedNames } = await readFiles(paths);
  if (files.length > 0) sendRequest({ kind: 'files', files });
  if (skippedNames.length === 0 || window.isDestroyed()) return;
  await dialog.showMessageBox(window, {
    type: 'warning',
    title: text.name,
    message: text.filesLeftOut(skippedNames.length),
    detail: skippedNames.join('\n'),
    buttons: [text.close],
  });
}

/** Asks for files to import. */
export async function pickFiles(window: BrowserWindow): Promise<readonly string[]> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: text.chooseFiles,
    properties: ['openFile', 'multiSelections'],
    filters: [{ name: text.recordFiles, extensions: [...fileEndings] }],
  });
  return canceled ? [] : filePaths;
}
