import { expectVerified } from '../expect.ts';
import type { FaultCase, FaultContext, FaultResult } from '../fault-case.ts';
import { runBulkThroughKills } from '../bulk-run.ts';
import { startServer } from '../server.ts';

const kills = { full: 10, short: 2 } as const;

/**
 * A bulk run and its undo with a server that is killed again and again. The page restarts with it each time.
 */
export const bulkKilled: FaultCase = {
  name: 'bulk-killed',
  claim:
    'A bulk run and its undo resume after every kill -9. Each record is changed once and reverted once, to the last digit.',
  parallel: true,
  long: true,
  run,
};

async function run(context: FaultContext): Promise<FaultResult> {
  const { runLength, folder, tally } = context;
  const server = await runBulkThroughKills(context, kills[runLength], () => startServer(folder));
  await server.stop();
  await expectVerified(folder);
  return { result: 'passed', figures: tally.figures };
}
