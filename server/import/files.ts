import { openAsBlob } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import type { InputFile } from '../../core/import/read-files.ts';
import { formatList } from '../../core/text/language.ts';
import { defineMessages } from '../../core/text/message.ts';
import { fileBehind, oddKindOf, type OddKind } from './odd-files.ts';

const messages = defineMessages('import', {
  skippedLinks: { one: 'Skipped {n} link: {paths}.', other: 'Skipped {n} links: {paths}.' },
  skippedPipes: { one: 'Skipped {n} named pipe: {paths}.', other: 'Skipped {n} named pipes: {paths}.' },
  skippedSockets: { one: 'Skipped {n} socket: {paths}.', other: 'Skipped {n} sockets: {paths}.' },
  skippedDevices: { one: 'Skipped {n} device: {paths}.', other: 'Skipped {n} devices: {paths}.' },
  morePaths: '{n} more',
  link: '{path} is a link. Only files and folders are imported.',
  pipe: '{path} is a named pipe. Only files and folders are imported.',
  socket: '{path} is a socket. Only files and folders are imported.',
  device: '{path} is a device. Only files and folders are imported.',
});

const skippedMessages = {
  link: messages.skippedLinks,
  'named pipe': messages.skippedPipes,
  socket: messages.skippedSockets,
  device: messages.skippedDevices,
};

const refusedMessages = {
  link: messages.link,
  'named pipe': messages.pipe,
  socket: messages.socket,
  device: messages.device,
};

/** Files that the paths of an import lead to. */
export class FoundFiles {
  readonly files: InputFile[] = [];
  /** Paths that are not read, by kind. */
  readonly odd = new Map<OddKind, string[]>();

  async addFile(path: string): Promise<void> {
    // The blob keeps size and time of the file, so that a later change is noticed when it is read.
    this.files.push({ path, blob: await openAsBlob(path) });
  }

  /** Adds the files below a folder, sorted by name. */
  async addFolder(folder: string): Promise<void> {
    const entries = (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => !entry.isDirectory())
      .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
      // Version control keeps copies of the files in its own folder, macOS keeps its notes beside each file.
      .filter(({ path }) => !relative(folder, path).split(sep).includes('.git'))
      .filter(({ path }) => !basename(path).startsWith('._'))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    const root = await realpath(folder);
    const addedPaths = new Set(
      entries.filter(({ entry }) => entry.isFile()).map(({ path }) => join(root, relative(folder, path))),
    );
    for (const { entry, path } of entries) {
      const kind = oddKindOf(entry);
      const target = kind === 'link' ? await fileBehind(path, folder) : undefined;
      if (kind === undefined) await this.addFile(path);
      else if (target === undefined) this.odd.set(kind, [...(this.odd.get(kind) ?? []), path]);
      else if (!addedPaths.has(target)) {
        addedPaths.add(target);
        await this.addFile(path);
      } else this.odd.set(kind, [...(this.odd.get(kind) ?? []), path]);
    }
  }

  /** Returns one message for each kind of paths that are not read. */
  listSkipped(): string[] {
    return [...this.odd].map(
      ([kind, paths]) => skippedMessages[kind]({ n: paths.length, paths: formatPaths(paths) }).text,
    );
  }
}

/** Names of a kind that a sentence lists. */
const maxListed = 10;

function formatPaths(paths: readonly string[]): string {
  const remainingCount = paths.length - maxListed;
  if (remainingCount <= 0) return formatList(paths, 'unit');
  return formatList([...paths.slice(0, maxListed), messages.morePaths({ n: remainingCount }).text]);
}

/**
 * Finds the files of the paths. A folder yields each file below it once, also if a link below it leads
 * to the file.
 *
 * @throws Error with a message for the path of a pipe, a socket or a device.
 */
export async function findFiles(paths: readonly string[]): Promise<FoundFiles> {
  const foundFiles = new FoundFiles();
  for (const path of paths) {
    const status = await stat(path);
    const kind = oddKindOf(status);
    if (kind !== undefined) throw new Error(refusedMessages[kind]({ path }).text);
    await (status.isDirectory() ? foundFiles.addFolder(path) : foundFiles.addFile(path));
  }
  return foundFiles;
}
