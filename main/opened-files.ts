import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { linkScheme, readRecordLink, type RecordLink } from '../core/app/record-link.ts';
import type { OpenedFile } from '../core/app/shell.ts';
import { text } from './text.ts';

/** Endings of the files that the import takes: records, Bundles, and a record a line. */
export const fileEndings = ['json', 'ndjson', 'jsonl'] as const;

/** All files of one opening together are held in memory; what is larger is for the page, which reads in pieces. */
const MOST_BYTES = 200 * 1024 * 1024;

/** What the arguments of a start name. */
export interface Named {
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

export interface FilesRead {
  readonly files: readonly OpenedFile[];
  /** Why others were left out, a sentence each, by the file's name. */
  readonly leftOut: readonly string[];
}

/** Reads the files for the page; each that cannot be is named with the reason. */
export async function readFiles(paths: readonly string[], most = MOST_BYTES): Promise<FilesRead> {
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
