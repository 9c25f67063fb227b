/** A named file. Files of a folder include its path in the name. */
export interface NamedFile {
  readonly name: string;
  readonly file: File;
}

export type FileFormat = 'json' | 'lines' | 'xml' | 'gzip' | 'zip' | 'other';

export interface SelectedFile extends NamedFile {
  /** Format by its name. Its content decides how it is read. */
  readonly format: FileFormat;
}

const formats: Readonly<Record<string, FileFormat>> = {
  json: 'json',
  ndjson: 'lines',
  jsonl: 'lines',
  xml: 'xml',
  gz: 'gzip',
  zip: 'zip',
};

/** Files of version control, and files that macOS creates beside others. */
const leftOut = /(?:^|\/)(?:\.git|__MACOSX)\/|(?:^|\/)(?:\._[^/]*|\.DS_Store)$/;

/** Returns the files of an import, sorted by name. */
export function listSelectedFiles(files: readonly NamedFile[]): readonly SelectedFile[] {
  return files
    .filter(({ name }) => !leftOut.test(name))
    .map(({ name, file }) => ({
      name,
      file,
      format: formats[(name.split('.').at(-1) ?? '').toLowerCase()] ?? 'other',
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
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
