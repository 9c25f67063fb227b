import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Backup } from '../../core/app/backups.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { expectAnswers, expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { findPrefixProblem } from '../prefix.ts';
import { send, startServer, type FaultServer } from '../server.ts';
import { copyStore, readStore } from '../store-copy.ts';
import { startWriters } from '../writer.ts';

const rounds = { full: 20, short: 3 } as const;

/** A backup is made and restored while clients write. */
export const restore: FaultCase = {
  name: 'restore',
  claim:
    'A backup that is made while eight clients write, and restored while they continue, contains exactly the writes committed up to one moment of its making. Writes acknowledged after the restore are stored as well.',
  parallel: true,
  long: true,
  run,
};

async function run(context: FaultContext): Promise<Finding> {
  const { extent, folder, tally } = context;
  for (let round = 0; round < rounds[extent]; round += 1) {
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
  const earliest = ledger.tick();
  const name = await backUp(server);
  const latest = ledger.tick();
  await ledger.waitFor(ledger.acknowledged.size + 200);
  const restoreTime = ledger.tick();
  const response = await send(server, 'POST', `/app/backups/${name}/restore`, '{}');
  if (response.status !== 200)
    throw new FaultError(`A restore was answered ${response.status}: ${response.text}`);
  await writers.stop();
  const afterwards = new Ledger();
  await createMore(server, afterwards, seed + round);
  tally.add('acknowledged writes', ledger.acknowledged.size + afterwards.acknowledged.size);
  tally.add('read back after the restore', await expectAnswers(server, afterwards));
  await server.kill();
  const copy = `${data}-copy`;
  await copyStore(data, copy);
  await expectVerified(copy);
  const { versions, disagreements } = readStore(copy);
  if (disagreements.length > 0) throw new FaultError(disagreements.slice(0, 5).join('; '));
  const restoredVersions = versions.filter(({ key }) => !afterwards.acknowledged.has(key));
  tally.add('versions restored', restoredVersions.length);
  const problem = findPrefixProblem(ledger, restoredVersions, { from: earliest, to: latest }, restoreTime);
  if (problem !== undefined) throw new FaultError(problem);
  const { lost: lostKeys, changed: changedKeys } = afterwards.compare(versions);
  if (lostKeys.length + changedKeys.length > 0)
    throw new FaultError(`${lostKeys.length + changedKeys.length} writes after the restore were lost`);
}

async function backUp(server: FaultServer): Promise<string> {
  const response = await send(server, 'POST', '/app/backups', '{}');
  const backup: unknown = JSON.parse(response.text);
  if (response.status === 201 && matchesSchema(Backup, backup)) return backup.name;
  throw new FaultError(`A backup was answered ${response.status}: ${response.text}`);
}

/** Only creates records: their ids differ from those of the backup. */
async function createMore(server: FaultServer, ledger: Ledger, seed: number): Promise<void> {
  const hasEnough = () => ledger.acknowledged.size >= 50;
  await startWriters({ server, ledger, seed, stream: 99, mixture: { create: 1 }, hasEnough }).done;
}
