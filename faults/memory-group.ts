import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from './wait.ts';

/** Folders of the two versions of Linux control groups, and their file names of limit and peak. */
const groupVersions = [
  { root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', peak: 'memory.max_usage_in_bytes' },
  { root: '/sys/fs/cgroup', limit: 'memory.max', peak: 'memory.peak' },
] as const;

/** A control group whose processes share an amount of memory. */
export interface MemoryGroup {
  /** Command prefix that starts a program in the group. Node reads the limit before its first line. */
  readonly starter: readonly string[];
  /** Returns the peak memory in bytes, or undefined if the system does not report it. */
  peak(): Promise<number | undefined>;
}

/** Reason why a case was not run. */
export const noMemoryGroup = 'No memory can be limited here; that takes root and control groups on Linux.';

/**
 * Runs work with a control group of an amount of memory. All processes of the group must have ended when the
 * work is done.
 *
 * @returns False if the system cannot create the group.
 */
export async function inMemoryGroup(
  bytes: number,
  work: (group: MemoryGroup) => Promise<void>,
): Promise<boolean> {
  const group = await makeGroup(bytes);
  if (!group) return false;
  const { folder, kind } = group;
  try {
    await work({
      starter: ['sh', '-c', 'echo $$ > "$0" && exec "$@"', join(folder, 'cgroup.procs')],
      peak: async () => {
        const peakText = await readFile(join(folder, kind.peak), 'utf8').catch(() => undefined);
        return peakText === undefined ? undefined : Number(peakText);
      },
    });
  } finally {
    // A process leaves its group a moment after its end.
    await waitUntil('An empty control group', () =>
      rmdir(folder).then(
        () => true,
        () => false,
      ),
    );
  }
  return true;
}

async function makeGroup(bytes: number) {
  for (const kind of groupVersions) {
    const folder = join(kind.root, `chartkeeper-${process.pid}-${bytes}`);
    const limit = join(folder, kind.limit);
    if (!existsSync(kind.root) || !(await mkdir(folder).then(returnTrue, returnFalse))) continue;
    if (existsSync(limit) && (await writeFile(limit, String(bytes)).then(returnTrue, returnFalse)))
      return { folder, kind };
    await rmdir(folder).catch(returnFalse);
  }
  return undefined;
}

const returnTrue = () => true;
const returnFalse = () => false;
