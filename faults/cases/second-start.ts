import { folderFaults } from '../../server/store/sqlite/data-folder-error.ts';
import { runCommand } from '../commands.ts';
import { expectAgreement } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { Timings } from '../load/timings.ts';
import { startServer } from '../server.ts';
import { copyStore } from '../store-copy.ts';
import { startWriters } from '../writer.ts';

const tries = 10;

/** Clients that write meanwhile: few enough to leave the second start a core of two. */
const clients = 2;

/** Milliseconds from a second start to its end, the median: one of them may meet a machine that stands still. */
const limit = 1000;

/** Milliseconds that the command line takes to print its version, from which on the machine says nothing about times. */
const busy = 400;

/** A second server on a folder that is in use. */
export const secondStart: FaultCase = {
  name: 'second-start',
  claim: `A second start on a folder whose server is writing ends within ${limit / 1000} s (median of ${tries}) with a sentence and exit code ${folderFaults['in-use']}; the first goes on.`,
  timed: true,
  run,
};

async function run({ folder, seed, tally }: FaultContext): Promise<Finding> {
  const server = await startServer(folder);
  const ledger = new Ledger();
  const writers = startWriters({ server, ledger, seed, stream: 0, clients });
  await ledger.reached(50);
  const alone = (await runCommand(['--version'])).milliseconds;
  const times = new Timings();
  for (let one = 0; one < tries; one += 1) {
    const before = ledger.acknowledged.size;
    times.add(await startAgain(folder));
    await ledger.reached(before + 1);
    tally.add('second starts', 1);
  }
  await writers.stop();
  await server.kill();
  tally.add('acknowledged writes', ledger.acknowledged.size);
  const middle = times.quantile(0.5);
  tally.add('ms to its end, median', middle);
  tally.add('ms to its end, longest', times.quantile(1));
  await copyStore(folder, `${folder}/copy`);
  await expectAgreement(`${folder}/copy`, ledger);
  if (middle <= limit) return { result: 'passed', figures: tally.figures };
  if (alone > busy)
    return {
      result: 'not run',
      reason: `The machine is busy: --version alone takes ${Math.round(alone)} ms.`,
    };
  throw new FaultError(`A second start takes ${middle} ms`);
}

/** Starts a second server; answers how many milliseconds it took to end. */
async function startAgain(folder: string): Promise<number> {
  const { code, stderr, milliseconds } = await runCommand(['serve', '--port', '0', '--data', folder]);
  const told = /^\S+records\.db is in use by another Chartkeeper\. .+\n$/.test(stderr);
  if (told && code === folderFaults['in-use']) return milliseconds;
  throw new FaultError(`A second start ended with code ${code}: ${stderr}`);
}
