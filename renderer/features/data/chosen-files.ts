import type { FileKind } from '../../../core/app/import-records.ts';
import { text } from '../../ui/text.ts';

/** A named file. Files of a folder include its path in the name. */
export interface NamedFile {
  readonly name: string;
  readonly file: File;
}

export interface SelectedFile extends NamedFile {
  readonly kind: FileKind;
}

export interface FileSelection {
  readonly files: readonly SelectedFile[];
  /** Reasons why other files were excluded, one sentence each. */
  readonly rejections: readonly string[];
}

const kinds: Readonly<Record<string, FileKind>> = { json: 'json', ndjson: 'lines', jsonl: 'lines' };

/** Selects the files that can be imported by name and size, without reading them. */
export function listSelectedFiles(files: readonly NamedFile[]): FileSelection {
  const rejections: string[] = [];
  const importable = files.flatMap(({ name, file }) => {
    const kind = kinds[(name.split('.').at(-1) ?? '').toLowerCase()];
    const reason =
      kind === undefined
        ? text.data.wrongType(name)
        : file.size === 0
          ? text.data.emptyFile(name)
          : undefined;
    if (reason !== undefined) rejections.push(reason);
    return kind === undefined || reason !== undefined ? [] : [{ name, file, kind }];
  });
  return { files: importable.sort((a, b) => a.name.localeCompare(b.name)), rejections };
}

/** Returns the files of an input. Files of a folder include its path. */
export function inputFiles(list: FileList | null): NamedFile[] {
  return [...(list ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, file }));
}

/** Returns dropped files, including files in dropped folders. Must be called within the event. */
export async function droppedFiles(data: DataTransfer): Promise<NamedFile[]> {
  // The list is emptied after the event, so the entries are collected first and read later.
  const entries = [...data.items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const fileLists = entries.map(({ entry, file }) => {
    if (entry) return filesOf(entry);
    return Promise.resolve(file ? [{ name: file.name, file }] : []);
  });
  return (await Promise.all(fileLists)).flat();
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
    // The browser returns up to a hundred entries per call.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) break;
    inside.push(...batch);
  }
  return (await Promise.all(inside.map(filesOf))).flat();
}

// Chromium does not expose the classes of the two entry types.
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
