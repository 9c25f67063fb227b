import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Backup } from '../../core/app/backups.ts';
import { is } from '../../core/json/shape.ts';
import { expectAnswers, expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { prefixFault } from '../prefix.ts';
import { send, startServer, type FaultServer } from '../server.ts';
import { copyStore, readStore } from '../store-copy.ts';
import { startWriters } from '../writer.ts';

const rounds = { full: 20, short: 3 } as const;

/** A backup is made and put back while clients write. */
export const restore: FaultCase = {
  name: 'restore',
  claim:
    'A backup that is made while eight clients write, and put back while they write on, brings exactly what was committed up to one moment of its making; what is acknowledged afterwards is there as well.',
  beside: true,
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
  await ledger.reached(200);
  const from = ledger.tick();
  const name = await backUp(server);
  const to = ledger.tick();
  await ledger.reached(ledger.acknowledged.size + 200);
  const later = ledger.tick();
  const answer = await send(server, 'POST', `/app/backups/${name}/restore`, '{}');
  if (answer.status !== 200) throw new FaultError(`A restore was answered ${answer.status}: ${answer.text}`);
  await writers.stop();
  const afterwards = new Ledger();
  await writeOn(server, afterwards, seed + round);
  tally.add('acknowledged writes', ledger.acknowledged.size + afterwards.acknowledged.size);
  tally.add('read back after the restore', await expectAnswers(server, afterwards));
  await server.kill();
  const copy = `${data}-copy`;
  await copyStore(data, copy);
  await expectVerified(copy);
  const { held, disagreements } = readStore(copy);
  if (disagreements.length > 0) throw new FaultError(disagreements.slice(0, 5).join('; '));
  const restored = held.filter(({ key }) => !afterwards.acknowledged.has(key));
  tally.add('versions restored', restored.length);
  const fault = prefixFault(ledger, restored, { from, to }, later);
  if (fault !== undefined) throw new FaultError(fault);
  const { lost, changed } = afterwards.compare(held);
  if (lost.length + changed.length > 0)
    throw new FaultError(`${lost.length + changed.length} writes after the restore were lost`);
}

async function backUp(server: FaultServer): Promise<string> {
  const answer = await send(server, 'POST', '/app/backups', '{}');
  const backup: unknown = JSON.parse(answer.text);
  if (answer.status === 201 && is(Backup, backup)) return backup.name;
  throw new FaultError(`A backup was answered ${answer.status}: ${answer.text}`);
}

/** Creates records alone: their ids tell them from those of the backup. */
async function writeOn(server: FaultServer, ledger: Ledger, seed: number): Promise<void> {
  const enough = () => ledger.acknowledged.size >= 50;
  await startWriters({ server, ledger, seed, stream: 99, mixture: { create: 1 }, enough }).ended;
}
