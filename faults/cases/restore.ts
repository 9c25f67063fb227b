import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Backup } from '../../core/app/backups.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { countReadable, expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { findPrefixProblem } from '../prefix.ts';
import { send, startServer, type FaultServer } from '../server.ts';
import { copyStore, readStore } from '../store-copy.ts';
import { startWriters } from '../writer.ts';

const rounds = { full: 20, short: 3 } as const;

/** Makes and restores a backup while clients write. */
export const restore: FaultCase = {
  name: 'restore',
  claim:
    'A backup that is made while eight clients write, and restored while they continue, contains exactly the writes committed up to one moment of its making. Writes acknowledged after the restore are stored as well.',
  parallel: true,
  long: true,
  run,
};

async function run(context: FaultContext): Promise<FaultResult> {
  const { runLength, folder, tally } = context;
  for (let round = 0; round < rounds[runLength]; round += 1) {
    const data = join(folder, `data-${round}`);
    await mkdir(data, { mode: 0o700 });
    await backUpAndRestore(data, round, context);
    tally.add('restored under load', 1);
  }
  return { result: 'passed', figures: tally.figures };
}

async function backUpAndRestore(data: string, round: number, { seed, tally }: FaultContext): Promise<void> {
  const server = await startServer(data);
  const ledger = new Ledger();
  const writers = startWriters({ server, ledger, seed, stream: round });
  await ledger.waitFor(200);
  const backupStart = ledger.nextTick();
  const name = await backUp(server);
  const backupEnd = ledger.nextTick();
  await ledger.waitFor(ledger.acknowledged.size + 200);
  const restoreTime = ledger.nextTick();
  const response = await send(server, 'POST', `/app/backups/${name}/restore`, '{}');
  if (response.status !== 200)
    throw new FaultError(`The restore returned status ${response.status}: ${response.text}`);
  await writers.stop();
  const laterLedger = new Ledger();
  await createRecordsAfterRestore(server, laterLedger, seed + round);
  tally.add('acknowledged writes', ledger.acknowledged.size + laterLedger.acknowledged.size);
  tally.add('read back after the restore', await countReadable(server, laterLedger));
  await server.kill();
  const copy = `${data}-copy`;
  await copyStore(data, copy);
  await expectVerified(copy);
  const { versions, inconsistencies } = readStore(copy);
  if (inconsistencies.length > 0) throw new FaultError(inconsistencies.slice(0, 5).join('; '));
  const restoredVersions = versions.filter(({ key }) => !laterLedger.acknowledged.has(key));
  tally.add('versions restored', restoredVersions.length);
  // The restored versions must be exactly the first writes, up to one moment of the backup.
  const problem = findPrefixProblem(
    ledger,
    restoredVersions,
    { from: backupStart, to: backupEnd },
    restoreTime,
  );
  if (problem !== undefined) throw new FaultError(problem);
  const { lostKeys, changedKeys } = laterLedger.compare(versions);
  if (lostKeys.length + changedKeys.length > 0)
    throw new FaultError(
      `${lostKeys.length + changedKeys.length} writes after the restore were lost or changed`,
    );
}

async function backUp(server: FaultServer): Promise<string> {
  const response = await send(server, 'POST', '/app/backups', '{}');
  const backup: unknown = JSON.parse(response.text);
  if (response.status === 201 && matchesSchema(Backup, backup)) return backup.name;
  throw new FaultError(`The backup returned status ${response.status}: ${response.text}`);
}

/** Only creates records, so that their IDs differ from the IDs in the backup. */
async function createRecordsAfterRestore(server: FaultServer, ledger: Ledger, seed: number): Promise<void> {
  const hasEnough = () => ledger.acknowledged.size >= 50;
  await startWriters({ server, ledger, seed, stream: 99, mixture: { create: 1 }, hasEnough }).done;
}
