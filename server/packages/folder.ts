import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { checkFile, shown, type PackageFile } from './archive.ts';
import { packageLimits, PackageFault, tooManyBytes } from './limits.ts';

/**
 * The files of an unpacked package: of a folder that holds `package`, or is that folder. Only what stands directly in it
 * is looked at. Links are not followed.
 *
 * @throws PackageFault where it is too large, or holds a link.
 */
export async function* filesOfFolder(folder: string): AsyncGenerator<PackageFile> {
  let bytes = 0;
  let files = 0;
  for (const path of await jsonFilesOf(folder)) {
    const found = await lstat(path);
    const name = `package/${path.split(sep).at(-1) ?? ''}`;
    if (found.isSymbolicLink()) throw new PackageFault(`The package holds a link: ${shown(name)}.`);
    if (!found.isFile()) continue;
    bytes += found.size;
    files += 1;
    checkFile(files, found.size, name);
    if (bytes > packageLimits.unpacked) throw tooManyBytes('The package has', packageLimits.unpacked);
    yield { path: name, bytes: () => readFile(path) };
  }
}

/** What tells this content of a folder from another: names, bytes and times. */
export async function tellFolder(folder: string): Promise<string> {
  const told = (await jsonFilesOf(folder)).map(async (path) => {
    const { size, mtimeMs } = await lstat(path);
    return `${relative(folder, path)} ${size} ${mtimeMs}`;
  });
  return (await Promise.all(told)).join('\n');
}

async function jsonFilesOf(folder: string): Promise<string[]> {
  const inner = join(folder, 'package');
  const held = await stat(inner).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const place = held ? inner : folder;
  const names = await readdir(place);
  if (names.length > packageLimits.files) {
    throw new PackageFault(`The package has more than ${packageLimits.files} files.`);
  }
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(place, name));
}
