import { folderExitCodes } from '../../server/sqlite/data-folder-error.ts';
import { runCommand } from '../commands.ts';
import { expectAgreement } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { Timings } from '../load/timings.ts';
import { startServer } from '../server.ts';
import { copyStore } from '../store-copy.ts';
import { startWriters } from '../writer.ts';

const attempts = 10;

/** Clients that write at the same time. Few enough to leave a core for the second start. */
const clients = 2;

/** Highest median of the milliseconds until a second start ends. Single starts may meet a stalled machine. */
const maxMs = 1000;

/**
 * If the command line takes longer to print its version, the machine is too busy to measure. In milliseconds.
 */
const busyMs = 400;

/** A second server starts on a folder that is in use. */
export const secondStart: FaultCase = {
  name: 'second-start',
  claim: `A second start on a folder whose server is writing ends within ${maxMs / 1000} s (median of ${attempts}) with an error message and exit code ${folderExitCodes['in-use']}; the first continues.`,
  timed: true,
  run,
};

async function run({ folder, seed, tally }: FaultContext): Promise<FaultResult> {
  const server = await startServer(folder);
  const ledger = new Ledger();
  const writers = startWriters({ server, ledger, seed, stream: 0, clients });
  await ledger.waitFor(50);
  const idleMs = (await runCommand(['--version'])).milliseconds;
  const times = new Timings();
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const countBefore = ledger.acknowledged.size;
    times.add(await startSecond(folder));
    await ledger.waitFor(countBefore + 1);
    tally.add('second starts', 1);
  }
  await writers.stop();
  await server.kill();
  tally.add('acknowledged writes', ledger.acknowledged.size);
  const medianMs = times.quantile(0.5);
  tally.add('ms to its end, median', medianMs);
  tally.add('ms to its end, longest', times.quantile(1));
  await copyStore(folder, `${folder}/copy`);
  await expectAgreement(`${folder}/copy`, ledger);
  if (medianMs <= maxMs) return { result: 'passed', figures: tally.figures };
  if (idleMs > busyMs)
    return {
      result: 'not run',
      reason: `The machine is busy: --version alone takes ${Math.round(idleMs)} ms.`,
    };
  throw new FaultError(`A second start takes ${medianMs} ms`);
}

/** Starts a second server. Returns how many milliseconds it took to end. */
async function startSecond(folder: string): Promise<number> {
  const { code, stderr, milliseconds } = await runCommand(['serve', '--port', '0', '--data', folder]);
  const isExplained = /^\S+records\.db is in use by another Chartkeeper\. .+\n$/.test(stderr);
  if (isExplained && code === folderExitCodes['in-use']) return milliseconds;
  throw new FaultError(`A second start ended with code ${code}: ${stderr}`);
}
