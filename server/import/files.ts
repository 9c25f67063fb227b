import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { formatList } from '../../core/text/language.ts';
import { defineMessages } from '../../core/text/message.ts';
import { ofJson, ofLines, type Candidate } from './candidates.ts';
import { fileBehind, oddKindOf, type OddKind } from './odd-files.ts';

const messages = defineMessages('import', {
  skippedLinks: { one: 'Skipped {n} link: {paths}.', other: 'Skipped {n} links: {paths}.' },
  skippedPipes: { one: 'Skipped {n} named pipe: {paths}.', other: 'Skipped {n} named pipes: {paths}.' },
  skippedSockets: { one: 'Skipped {n} socket: {paths}.', other: 'Skipped {n} sockets: {paths}.' },
  skippedDevices: { one: 'Skipped {n} device: {paths}.', other: 'Skipped {n} devices: {paths}.' },
  morePaths: '{n} more',
  skippedOthers: 'Skipped {counts}: only {extensions} files are imported.',
  withExtension: '{n} {extension}',
  withoutExtension: '{n} without an extension',
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

export interface SourceFile {
  readonly path: string;
  readonly bytes: number;
}

/** Files that the paths of an import lead to. */
export class FoundFiles {
  readonly files: SourceFile[] = [];
  /** Paths that are not read, by kind. */
  readonly odd = new Map<OddKind, string[]>();
  /** How many other files there are, by the ending of their names. */
  readonly otherEndings = new Map<string, number>();

  async addFile(path: string): Promise<void> {
    this.files.push({ path, bytes: (await stat(path)).size });
  }

  /** Adds the files below a folder, sorted by name. */
  async addFolder(folder: string): Promise<void> {
    const entries = (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => !entry.isDirectory())
      .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
      // Version control keeps copies of the files in its own folder.
      .filter(({ path }) => !relative(folder, path).split(sep).includes('.git'))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    const root = await realpath(folder);
    const readableExtensions = new Set(
      entries
        .filter(({ entry, path }) => entry.isFile() && isRecordFile(path))
        .map(({ path }) => join(root, relative(folder, path))),
    );
    for (const { entry, path } of entries) {
      const kind = oddKindOf(entry);
      const target = kind === 'link' ? await fileBehind(path, folder) : undefined;
      if ((kind === undefined || target !== undefined) && !isRecordFile(path)) {
        const ending = extname(path).toLowerCase();
        this.otherEndings.set(ending, (this.otherEndings.get(ending) ?? 0) + 1);
      } else if (kind === undefined) {
        await this.addFile(path);
      } else if (target !== undefined && !readableExtensions.has(target)) {
        readableExtensions.add(target);
        await this.addFile(path);
      } else {
        this.odd.set(kind, [...(this.odd.get(kind) ?? []), path]);
      }
    }
  }

  /** Returns one message for each kind of paths that are not read. */
  listSkipped(): string[] {
    const kinds = [...this.odd].map(
      ([kind, paths]) => skippedMessages[kind]({ n: paths.length, paths: formatPaths(paths) }).text,
    );
    if (this.otherEndings.size === 0) return kinds;
    const counts = [...this.otherEndings].sort().map(([extension, n]) => {
      const message =
        extension === '' ? messages.withoutExtension({ n }) : messages.withExtension({ n, extension });
      return message.text;
    });
    const otherFiles = { counts: formatList(counts, 'unit'), extensions: formatList(extensions, 'unit') };
    return [...kinds, messages.skippedOthers(otherFiles).text];
  }
}

const extensions = ['.json', '.ndjson', '.jsonl'];
const isRecordFile = (path: string) => extensions.includes(extname(path).toLowerCase());

/** Names of a kind that a sentence lists. */
const maxListed = 10;

function formatPaths(paths: readonly string[]): string {
  const remainingCount = paths.length - maxListed;
  if (remainingCount <= 0) return formatList(paths, 'unit');
  return formatList([...paths.slice(0, maxListed), messages.morePaths({ n: remainingCount }).text]);
}

/**
 * Finds the files of the paths. A folder yields each JSON and NDJSON file below it once, also if a link below it leads
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

/** Yields the candidates of all files in sequence, with the path of the file. */
export async function* candidatesOfAll(
  files: readonly SourceFile[],
  limit: number,
  onEnd: (file: SourceFile) => void,
): AsyncGenerator<Candidate> {
  for (const file of files) {
    for await (const candidate of candidatesOf(file, limit)) yield { ...candidate, file: file.path };
    onEnd(file);
  }
}

/** Yields the candidates of one file: `.json` is a record or a Bundle, anything else is NDJSON. */
export function candidatesOf({ path }: SourceFile, limit: number): AsyncIterable<Candidate> {
  const chunks = createReadStream(path);
  return extname(path).toLowerCase() === '.json' ? ofJson(chunks, limit) : ofLines(chunks, limit);
}
