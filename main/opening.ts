import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { app, dialog, type BrowserWindow } from 'electron';
import { linkScheme, readRecordLink, type RecordLink } from '../core/app/record-link.ts';
import type { OpenedFile, OpenRequest } from '../core/app/shell.ts';
import { text } from './text.ts';

/** Endings of the files that the import takes: records, Bundles, and a record a line. */
const fileEndings = ['json', 'ndjson', 'jsonl'] as const;

/** All files of one opening together are held in memory; what is larger is for the page, which reads in pieces. */
const MOST_BYTES = 200 * 1024 * 1024;

/** What the arguments of a start name. */
interface Named {
  readonly paths: readonly string[];
  readonly links: readonly RecordLink[];
}

function hasEnding(name: string): boolean {
  const lower = name.toLowerCase();
  return fileEndings.some((ending) => lower.endsWith(`.${ending}`));
}

/** Reads the arguments of a start in `folder`: files and `chartkeeper:` links; anything else is passed over. */
export function readArguments(argv: readonly string[], folder: string): Named {
  const words = argv.slice(1).filter((word) => !word.startsWith('-'));
  const isLink = (word: string) => word.toLowerCase().startsWith(`${linkScheme}:`);
  return {
    links: words.filter(isLink).flatMap((word) => readRecordLink(word) ?? []),
    paths: words.filter((word) => !isLink(word) && hasEnding(word)).map((word) => resolve(folder, word)),
  };
}

/** Reads the files for the page; of each that is left out, a sentence says why. */
export async function readFiles(paths: readonly string[], most = MOST_BYTES) {
  const files: OpenedFile[] = [];
  const leftOut: string[] = [];
  let bytesLeft = most;
  for (const path of paths) {
    const name = basename(path);
    const read = hasEnding(name) ? await readOne(path, bytesLeft) : text.wrongEnding(name);
    if (typeof read === 'string') leftOut.push(read);
    else {
      bytesLeft -= read.byteLength;
      files.push({ name, bytes: read });
    }
  }
  return { files, leftOut };
}

async function readOne(path: string, most: number): Promise<Uint8Array<ArrayBuffer> | string> {
  const name = basename(path);
  try {
    const found = await stat(path);
    if (!found.isFile()) return text.noFile(name);
    if (found.size > most) return text.tooLarge(name, MOST_BYTES / 1024 / 1024);
    return new Uint8Array(await readFile(path));
  } catch {
    return text.notRead(name);
  }
}

export type Opening = ReturnType<typeof setupOpening>;

/**
 * Collects files and links from the arguments of this start and of later ones, and from the system's events (macOS).
 * Call it before Electron is ready: the first events come before. One that stands apart, a portable copy or a
 * self-check, leaves the system's list of who opens links as it is.
 */
export function setupOpening(isApart: boolean) {
  const early: Named[] = [readArguments(process.argv, process.cwd())];
  let take: (named: Named) => void = (named) => early.push(named);
  app.on('open-file', (event, path) => {
    event.preventDefault();
    take({ paths: [path], links: [] });
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const link = readRecordLink(url);
    take({ paths: [], links: link ? [link] : [] });
  });
  app.on('second-instance', (_event, argv, folder) => take(readArguments(argv, folder)));
  // A copy that runs from its sources would take the links from the one that is installed.
  if (app.isPackaged && !isApart) app.setAsDefaultProtocolClient(linkScheme);
  return {
    /** From now on `next` is told; what came before, without a window too, is told at once. */
    begin(next: typeof take): void {
      take = next;
      for (const named of early) next(named);
    },
  };
}

/** Reads named files and hands what is to be opened to `put`; says which files were left out. */
export async function open(
  { paths, links }: Named,
  window: BrowserWindow,
  put: (request: OpenRequest) => void,
): Promise<void> {
  for (const link of links) put({ kind: 'record', link });
  if (paths.length === 0) return;
  const { files, leftOut } = await readFiles(paths);
  if (files.length > 0) put({ kind: 'files', files });
  if (leftOut.length === 0 || window.isDestroyed()) return;
  await dialog.showMessageBox(window, {
    type: 'warning',
    title: text.name,
    message: text.filesLeftOut(leftOut.length),
    detail: leftOut.join('\n'),
    buttons: [text.close],
  });
}

/** Asks for files to import. */
export async function chooseFiles(window: BrowserWindow): Promise<readonly string[]> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: text.chooseFiles,
    properties: ['openFile', 'multiSelections'],
    filters: [{ name: text.recordFiles, extensions: [...fileEndings] }],
  });
  return canceled ? [] : filePaths;
}
