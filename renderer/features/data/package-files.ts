import type { NamedFile } from './chosen-files.ts';

/** A selected package: an archive, or the files of an unpacked folder. */
export type ChosenPackage =
  | { readonly name: string; readonly archive: File }
  | { readonly name: string; readonly files: readonly NamedFile[] };

const isArchive = (name: string) => /\.(?:tgz|tar|tar\.gz)$/i.test(name);

/** Splits files into packages and other files. */
export function packagesAmong(files: readonly NamedFile[]): {
  readonly packages: readonly ChosenPackage[];
  readonly otherFiles: readonly NamedFile[];
} {
  const folders = new Set(
    files.flatMap(({ name }) => (name.endsWith('/package.json') ? [folderOf(name)] : [])),
  );
  const filesByFolder = Map.groupBy(
    files.filter(({ name }) => folders.has(folderOf(name))),
    ({ name }) => folderOf(name),
  );
  const isInPackage = (name: string) => [...folders].some((folder) => name.startsWith(`${folder}/`));
  const archives = files.filter(({ name }) => isArchive(name) && !isInPackage(name));
  return {
    packages: [
      ...archives.map(({ name, file }) => ({ name, archive: file })),
      ...[...filesByFolder].map(([name, packageFiles]) => ({ name, files: packageFiles })),
    ],
    otherFiles: files.filter(({ name }) => !isArchive(name) && !isInPackage(name)),
  };
}

/** Returns the request body of a package and its media type. */
export async function bodyOf(
  selectedPackage: ChosenPackage,
): Promise<{ readonly body: Blob; readonly type: string }> {
  if ('archive' in selectedPackage) {
    const packed = !/\.tar$/i.test(selectedPackage.name);
    return { body: selectedPackage.archive, type: packed ? 'application/gzip' : 'application/x-tar' };
  }
  // Loaded on demand.
  const { packTar } = await import('modern-tar');
  const entries = selectedPackage.files
    .filter(({ name }) => name.endsWith('.json'))
    .map(({ name, file }) => ({
      header: {
        name: `package/${name.slice(selectedPackage.name.length + 1)}`,
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
