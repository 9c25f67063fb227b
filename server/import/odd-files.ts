/** What stands in a folder and is neither a file nor a folder. Reading it could lead elsewhere, or never end. */
import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';

export type OddKind = 'link' | 'named pipe' | 'socket' | 'device';

type Told = Pick<Stats, 'isSymbolicLink' | 'isFIFO' | 'isSocket' | 'isCharacterDevice' | 'isBlockDevice'>;

/** Returns the kind of what is neither a file nor a folder; undefined for these two. */
export function oddKindOf(found: Told): OddKind | undefined {
  if (found.isSymbolicLink()) return 'link';
  if (found.isFIFO()) return 'named pipe';
  if (found.isSocket()) return 'socket';
  if (found.isCharacterDevice() || found.isBlockDevice()) return 'device';
  return undefined;
}

/**
 * Returns the path of the file that a link leads to, where it lies below `folder`. git-annex, DataLad and Kubernetes lay
 * files out so; a link that leads out of the folder could name any file of the machine.
 */
export async function fileBehind(link: string, folder: string): Promise<string | undefined> {
  try {
    const [target, root] = await Promise.all([realpath(link), realpath(folder)]);
    return target.startsWith(root + sep) && (await stat(target)).isFile() ? target : undefined;
  } catch {
    // It leads to nothing, or in a circle.
    return undefined;
  }
}
