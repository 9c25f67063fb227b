import { mkdir } from 'node:fs/promises';
import { Ledger } from './ledger.ts';
import { startServer } from './server.ts';
import { startWriters } from './writer.ts';

/**
 * Creates a store with a number of versions, and stops its server in order. Returns the ledger of the store.
 */
export async function createSampleStore(folder: string, versions: number, seed: number): Promise<Ledger> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const ledger = new Ledger();
  const server = await startServer(folder);
  const hasEnough = () => ledger.acknowledged.size >= versions;
  await startWriters({ server, ledger, seed, stream: 0, hasEnough }).done;
  await server.stop();
  return ledger;
}
