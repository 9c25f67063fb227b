import { folderFaults } from '../../server/store/data-folder-error.ts';
import { runCommand } from '../commands.ts';
import { expectAgreement } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { startServer } from '../server.ts';
import { copyStore } from '../store-copy.ts';
import { startWriters } from '../writer.ts';

const tries = 10;

/** Milliseconds from the second start to its end. */
const limit = 1000;

/** A second server on a folder that is in use. */
export const secondStart: FaultCase = {
  name: 'second-start',
  claim: `A second start on a folder whose server is writing ends within ${limit / 1000} s with a sentence and exit code ${folderFaults['in-use']}; the first goes on.`,
  run,
};

async function run({ folder, seed, tally }: FaultContext): Promise<Finding> {
  const server = await startServer(folder);
  const ledger = new Ledger();
  const writers = startWriters({ server, ledger, seed, stream: 0 });
  await ledger.reached(50);
  const times: number[] = [];
  for (let one = 0; one < tries; one += 1) {
    const before = ledger.acknowledged.size;
    const { code, stderr, milliseconds } = await runCommand(['serve', '--port', '0', '--data', folder]);
    if (
      code !== folderFaults['in-use'] ||
      !/^\S+records\.db is in use by another Chartkeeper\. .+\n$/.test(stderr)
    )
      throw new FaultError(`A second start ended with code ${code}: ${stderr}`);
    times.push(milliseconds);
    await ledger.reached(before + 1);
    tally.add('second starts', 1);
  }
  await writers.stop();
  await server.kill();
  tally.add('acknowledged writes', ledger.acknowledged.size);
  tally.add('slowest in ms', Math.round(Math.max(...times)));
  if (Math.max(...times) > limit) throw new FaultError(`A second start took ${Math.max(...times)} ms`);
  await copyStore(folder, `${folder}/copy`);
  await expectAgreement(`${folder}/copy`, ledger);
  return { result: 'passed', figures: tally.figures };
}
