import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { ofJson, ofLines, type Candidate } from './candidates.ts';
import { fileBehind, oddKindOf, type OddKind } from './odd-files.ts';

export interface SourceFile {
  readonly path: string;
  readonly bytes: number;
}

/** What the paths of an import lead to. */
export class FoundFiles {
  readonly files: SourceFile[] = [];
  /** Paths of what is not read, by its kind. */
  readonly odd = new Map<OddKind, string[]>();
  /** How many other files there are, by the ending of their names. */
  readonly others = new Map<string, number>();

  async addFile(path: string): Promise<void> {
    this.files.push({ path, bytes: (await stat(path)).size });
  }

  /** Adds what lies below a folder, in the order of the names. */
  async addFolder(folder: string): Promise<void> {
    const entries = (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => !entry.isDirectory())
      .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
      // What version control keeps there are copies of the files beside it.
      .filter(({ path }) => !relative(folder, path).split(sep).includes('.git'))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
    const root = await realpath(folder);
    const read = new Set(
      entries
        .filter(({ entry, path }) => entry.isFile() && isRecordFile(path))
        .map(({ path }) => join(root, relative(folder, path))),
    );
    for (const { entry, path } of entries) {
      const kind = oddKindOf(entry);
      const target = kind === 'link' ? await fileBehind(path, folder) : undefined;
      if ((kind === undefined || target !== undefined) && !isRecordFile(path)) {
        const ending = extname(path).toLowerCase();
        this.others.set(ending, (this.others.get(ending) ?? 0) + 1);
      } else if (kind === undefined) {
        await this.addFile(path);
      } else if (target !== undefined && !read.has(target)) {
        read.add(target);
        await this.addFile(path);
      } else {
        this.odd.set(kind, [...(this.odd.get(kind) ?? []), path]);
      }
    }
  }

  /** Returns a sentence for each kind of what is not read. */
  skipped(): string[] {
    const kinds = [...this.odd].map(
      ([kind, paths]) => `Skipped ${paths.length} ${kind}${paths.length === 1 ? '' : 's'}: ${listed(paths)}.`,
    );
    if (this.others.size === 0) return kinds;
    const counts = [...this.others]
      .sort()
      .map(([ending, count]) => `${count} ${ending || 'without an ending'}`);
    return [...kinds, `Skipped ${counts.join(', ')}: only ${extensions.join(', ')} files are imported.`];
  }
}

const extensions = ['.json', '.ndjson', '.jsonl'];
const isRecordFile = (path: string) => extensions.includes(extname(path).toLowerCase());

/** Names of a kind that a sentence lists. */
const mostListed = 10;

function listed(paths: readonly string[]): string {
  const more = paths.length - mostListed;
  return paths.slice(0, mostListed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/**
 * Finds the files that the paths name. A folder gives the JSON and NDJSON files below it, and those of links that lead to
 * a file below it; each file once.
 *
 * @throws Error with a sentence for a path to a pipe, a socket or a device.
 */
export async function findFiles(paths: readonly string[]): Promise<FoundFiles> {
  const found = new FoundFiles();
  for (const path of paths) {
    const told = await stat(path);
    const kind = oddKindOf(told);
    if (kind !== undefined) throw new Error(`${path} is a ${kind}. Only files and folders are imported.`);
    await (told.isDirectory() ? found.addFolder(path) : found.addFile(path));
  }
  return found;
}

/** The candidates of all files, one behind the other, each with the path of its file. */
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

/** The candidates of one file: `.json` is a record or a Bundle, anything else NDJSON. */
export function candidatesOf({ path }: SourceFile, limit: number): AsyncIterable<Candidate> {
  const chunks = createReadStream(path);
  return extname(path).toLowerCase() === '.json' ? ofJson(chunks, limit) : ofLines(chunks, limit);
}
