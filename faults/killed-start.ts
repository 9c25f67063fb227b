import { LaunchError } from '../bench/launch.ts';
import type { Disk, DiskOptions } from './disk.ts';
import { startServer } from './server.ts';

/** Returns how many writes and syncs a server makes from start to stop without a kill. */
export async function countCallsOfStart(disk: Disk): Promise<number> {
  const server = await startServer(disk.data, { env: disk.env({ seed: 1 }) });
  await server.stop();
  return disk.countCalls();
}

/** Starts a server that is killed during its start or its stop. */
export async function startAndDie(disk: Disk, options: DiskOptions): Promise<void> {
  try {
    const server = await startServer(disk.data, { env: disk.env(options) });
    await server.stop();
  } catch (error) {
    if (!(error instanceof LaunchError) || error.code !== null) throw error;
  }
}
