import { mkdir } from 'node:fs/promises';
import { Ledger } from './ledger.ts';
import { startServer } from './server.ts';
import { startWriters } from './writer.ts';

/** Makes a store of so many versions, closed in order; answers what it holds. */
export async function makeSample(folder: string, versions: number, seed: number): Promise<Ledger> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const ledger = new Ledger();
  const server = await startServer(folder);
  const enough = () => ledger.acknowledged.size >= versions;
  await startWriters({ server, ledger, seed, stream: 0, enough }).ended;
  await server.stop();
  return ledger;
}
