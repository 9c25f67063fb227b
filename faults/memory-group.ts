import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from './wait.ts';

/** Where the two versions of Linux's control groups lie, and how they call the limit and the peak. */
const kinds = [
  { root: '/sys/fs/cgroup/memory', most: 'memory.limit_in_bytes', peak: 'memory.max_usage_in_bytes' },
  { root: '/sys/fs/cgroup', most: 'memory.max', peak: 'memory.peak' },
] as const;

/** A control group that the processes in it share so much memory in. */
export interface MemoryGroup {
  /** What starts a program in the group: Node reads the limit before its first line. */
  readonly starter: readonly string[];
  /** Bytes that were held at once, at most; undefined where this system does not tell. */
  peak(): Promise<number | undefined>;
}

/** Why a case was not run. */
export const noMemoryGroup = 'No memory can be limited here; that takes root and control groups on Linux.';

/** Makes a group of so many bytes for some work; answers false where that cannot be done. All in it must have ended behind the work. */
export async function inMemoryGroup(
  bytes: number,
  work: (group: MemoryGroup) => Promise<void>,
): Promise<boolean> {
  const made = await makeGroup(bytes);
  if (!made) return false;
  const { folder, kind } = made;
  try {
    await work({
      starter: ['sh', '-c', 'echo $$ > "$0" && exec "$@"', join(folder, 'cgroup.procs')],
      peak: async () => {
        const told = await readFile(join(folder, kind.peak), 'utf8').catch(() => undefined);
        return told === undefined ? undefined : Number(told);
      },
    });
  } finally {
    // A process that ended leaves its group a moment later.
    await until('An empty control group', () =>
      rmdir(folder).then(
        () => true,
        () => false,
      ),
    );
  }
  return true;
}

async function makeGroup(bytes: number) {
  for (const kind of kinds) {
    const folder = join(kind.root, `chartkeeper-${process.pid}-${bytes}`);
    const limit = join(folder, kind.most);
    if (!existsSync(kind.root) || !(await mkdir(folder).then(holds, fails))) continue;
    if (existsSync(limit) && (await writeFile(limit, String(bytes)).then(holds, fails)))
      return { folder, kind };
    await rmdir(folder).catch(fails);
  }
  return undefined;
}

const holds = () => true;
const fails = () => false;
