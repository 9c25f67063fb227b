/**
 * Directory entries that are neither a file nor a folder. Reading one could lead elsewhere or never end.
 */
import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';

export type OddKind = 'link' | 'named pipe' | 'socket' | 'device';

type FileStatus = Pick<
  Stats,
  'isSymbolicLink' | 'isFIFO' | 'isSocket' | 'isCharacterDevice' | 'isBlockDevice'
>;

/** Returns the kind of an entry that is neither a file nor a folder; undefined for these two. */
export function oddKindOf(status: FileStatus): OddKind | undefined {
  if (status.isSymbolicLink()) return 'link';
  if (status.isFIFO()) return 'named pipe';
  if (status.isSocket()) return 'socket';
  if (status.isCharacterDevice() || status.isBlockDevice()) return 'device';
  return undefined;
}

/**
 * Returns the path of a link's target file if it is below `folder`. git-annex, DataLad and Kubernetes store
 * files this way. A link out of the folder could name any file of the computer.
 */
export async function fileBehind(link: string, folder: string): Promise<string | undefined> {
  try {
    const [target, root] = await Promise.all([realpath(link), realpath(folder)]);
    return target.startsWith(root + sep) && (await stat(target)).isFile() ? target : undefined;
  } catch {
    // The link is broken or circular.
    return undefined;
  }
}
