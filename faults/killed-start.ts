import { LaunchFault } from '../bench/launch.ts';
import type { Disk, DiskOptions } from './disk.ts';
import { startServer } from './server.ts';

/** How many writes and syncs a server makes from its start to its end where nobody kills it. */
export async function callsOfStart(disk: Disk): Promise<number> {
  const server = await startServer(disk.data, { env: disk.env({ seed: 1 }) });
  await server.stop();
  return disk.calls();
}

/** Starts a server that is killed on its way, or while it ends. */
export async function startAndDie(disk: Disk, options: DiskOptions): Promise<void> {
  try {
    const server = await startServer(disk.data, { env: disk.env(options) });
    await server.stop();
  } catch (error) {
    if (!(error instanceof LaunchFault) || error.code !== null) throw error;
  }
}
