import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { checkFile, linkIn, tooLarge, tooManyFiles, type PackageFile } from './archive.ts';
import { packageLimits } from './limits.ts';

/**
 * Yields the files of an unpacked package: a folder that contains `package`, or that folder itself. Reads
 * only direct entries and follows no links.
 *
 * @throws PackageError if it is too large or contains a link.
 */
export async function* filesOfFolder(folder: string): AsyncGenerator<PackageFile> {
  let bytes = 0;
  let files = 0;
  for (const path of await jsonFilesOf(folder)) {
    const status = await lstat(path);
    const name = `package/${path.split(sep).at(-1) ?? ''}`;
    if (status.isSymbolicLink()) throw linkIn(name);
    if (!status.isFile()) continue;
    bytes += status.size;
    files += 1;
    checkFile(files, status.size, name);
    if (bytes > packageLimits.unpacked) throw tooLarge();
    yield { path: name, bytes: () => readFile(path) };
  }
}

/** Returns a fingerprint of a folder's content: names, sizes and times. */
export async function tellFolder(folder: string): Promise<string> {
  const pendingStats = (await jsonFilesOf(folder)).map(async (path) => {
    const { size, mtimeMs } = await lstat(path);
    return `${relative(folder, path)} ${size} ${mtimeMs}`;
  });
  return (await Promise.all(pendingStats)).join('\n');
}

async function jsonFilesOf(folder: string): Promise<string[]> {
  const inner = join(folder, 'package');
  const hasInnerFolder = await stat(inner).then(
    (innerStatus) => innerStatus.isDirectory(),
    () => false,
  );
  const packageFolder = hasInnerFolder ? inner : folder;
  const names = await readdir(packageFolder);
  if (names.length > packageLimits.files) throw tooManyFiles();
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(packageFolder, name));
}
