import { expectVerified } from '../expect.ts';
import type { FaultCase, FaultContext, Finding } from '../fault-case.ts';
import { bulkThroughKills } from '../bulk-run.ts';
import { startServer } from '../server.ts';

const kills = { full: 10, short: 2 } as const;

/** A bulk run and its undo, whose server is killed again and again; each time the page too begins anew. */
export const bulkKilled: FaultCase = {
  name: 'bulk-killed',
  claim:
    'A bulk run and its undo that are cut short again and again by kill -9 are gone on with: each record is changed once and put back once, to the last digit.',
  beside: true,
  long: true,
  run,
};

async function run(context: FaultContext): Promise<Finding> {
  const { extent, folder, tally } = context;
  const server = await bulkThroughKills(context, kills[extent], () => startServer(folder));
  await server.stop();
  await expectVerified(folder);
  return { result: 'passed', figures: tally.figures };
}
