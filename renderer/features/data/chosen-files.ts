import type { FileKind } from '../../../core/app/import-records.ts';
import { text } from '../../ui/text.ts';

/** A file by its name, with its folder's path where it came out of one. */
export interface NamedFile {
  readonly name: string;
  readonly file: File;
}

export interface ChosenFile extends NamedFile {
  readonly kind: FileKind;
}

export interface Chosen {
  readonly files: readonly ChosenFile[];
  /** Why others were left out, a sentence each. */
  readonly leftOut: readonly string[];
}

const kinds: Readonly<Record<string, FileKind>> = { json: 'json', ndjson: 'lines', jsonl: 'lines' };

/** Sorts out what can be imported by name and size; nothing is read. */
export function chosenFiles(files: readonly NamedFile[]): Chosen {
  const leftOut: string[] = [];
  const taken = files.flatMap(({ name, file }) => {
    const kind = kinds[(name.split('.').at(-1) ?? '').toLowerCase()];
    const reason =
      kind === undefined
        ? text.data.wrongType(name)
        : file.size === 0
          ? text.data.emptyFile(name)
          : undefined;
    if (reason !== undefined) leftOut.push(reason);
    return kind === undefined || reason !== undefined ? [] : [{ name, file, kind }];
  });
  return { files: taken.sort((one, other) => one.name.localeCompare(other.name)), leftOut };
}

/** The files of an input; those of a folder bear its path. */
export function inputFiles(list: FileList | null): NamedFile[] {
  return [...(list ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, file }));
}

/** The files that were dropped, those of dropped folders among them. Must be called within the event. */
export async function droppedFiles(data: DataTransfer): Promise<NamedFile[]> {
  // The list is emptied once the event is over: the entries are taken first, then read.
  const taken = [...data.items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const read = taken.map(({ entry, file }) => {
    if (entry) return filesOf(entry);
    return Promise.resolve(file ? [{ name: file.name, file }] : []);
  });
  return (await Promise.all(read)).flat();
}

async function filesOf(entry: FileSystemEntry): Promise<NamedFile[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ name: entry.fullPath.replace(/^\//, ''), file }];
  }
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const inside: FileSystemEntry[] = [];
  for (;;) {
    // A folder is read a hundred names at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) break;
    inside.push(...some);
  }
  return (await Promise.all(inside.map(filesOf))).flat();
}

// Chromium has no names for the classes of the two.
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
