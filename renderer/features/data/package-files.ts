import type { NamedFile } from './chosen-files.ts';

/** A package that was chosen: an archive as it is, or the files of an unpacked one by their names. */
export type ChosenPackage =
  | { readonly name: string; readonly archive: File }
  | { readonly name: string; readonly files: readonly NamedFile[] };

const isArchive = (name: string) => /\.(?:tgz|tar|tar\.gz)$/i.test(name);

/** The packages among files, and the files that are of none. */
export function packagesAmong(files: readonly NamedFile[]): {
  readonly packages: readonly ChosenPackage[];
  readonly others: readonly NamedFile[];
} {
  const folders = new Set(
    files.flatMap(({ name }) => (name.endsWith('/package.json') ? [folderOf(name)] : [])),
  );
  const inside = Map.groupBy(
    files.filter(({ name }) => folders.has(folderOf(name))),
    ({ name }) => folderOf(name),
  );
  const within = (name: string) => [...folders].some((folder) => name.startsWith(`${folder}/`));
  const archives = files.filter(({ name }) => isArchive(name) && !within(name));
  return {
    packages: [
      ...archives.map(({ name, file }) => ({ name, archive: file })),
      ...[...inside].map(([name, some]) => ({ name, files: some })),
    ],
    others: files.filter(({ name }) => !isArchive(name) && !within(name)),
  };
}

/** What is sent of a package, and as what. */
export async function bodyOf(chosen: ChosenPackage): Promise<{ readonly body: Blob; readonly type: string }> {
  if ('archive' in chosen) {
    const packed = !/\.tar$/i.test(chosen.name);
    return { body: chosen.archive, type: packed ? 'application/gzip' : 'application/x-tar' };
  }
  // Loaded by those who need it.
  const { packTar } = await import('modern-tar');
  const entries = chosen.files
    .filter(({ name }) => name.endsWith('.json'))
    .map(({ name, file }) => ({
      header: {
        name: `package/${name.slice(chosen.name.length + 1)}`,
        size: file.size,
        type: 'file' as const,
      },
      body: file,
    }));
  return { body: new Blob([await packTar(entries)]), type: 'application/x-tar' };
}

function folderOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('/')));
}
