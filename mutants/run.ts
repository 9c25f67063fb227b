/**
 * Takes one mechanism after the other away and sees to it that its test notices: `node mutants/run.ts
 * [--only WORDS] [--lanes N] [--out FILE]`. Exit code 1 where a test did not notice, or did not pass before.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { mutants } from './list.ts';
import type { Mutant } from './mutant.ts';
import { runsPage, writeSection } from '../scripts/document.ts';
import { makeTree, type Ending, type Tree } from './tree.ts';
import { ensureSchema } from '../scripts/schema.ts';
import { mutantSection, verdicts, type Trial, type Verdict } from './section.ts';

const log = (line: string) => void process.stdout.write(`${line}\n`);

/** What it means that a test ended so without and with the mutant. */
function verdictOf(without: Ending, withIt: Ending): Verdict {
  if (without !== 'passed') return 'no test';
  return { passed: 'unnoticed', failed: 'noticed', broken: 'broken' }[withIt] as Verdict;
}

async function tryOne(tree: Tree, mutant: Mutant): Promise<Trial> {
  const started = performance.now();
  const without = await tree.run(mutant.test);
  const verdict = verdictOf(without, without === 'passed' ? await tree.runWith(mutant) : 'broken');
  const seconds = Math.round((performance.now() - started) / 1000);
  log(`${verdict}: ${mutant.mechanism} (${seconds} s)`);
  return { mutant, verdict };
}

/** Each lane has a tree of its own and takes the next mutant that no one has. */
async function tryAll(chosen: readonly Mutant[], lanes: number): Promise<Trial[]> {
  const trials = new Map<Mutant, Trial>();
  const waiting = chosen.values();
  const lane = async () => {
    const tree = makeTree();
    try {
      for (const mutant of waiting) trials.set(mutant, await tryOne(tree, mutant));
    } finally {
      await tree.remove();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return chosen.flatMap((mutant) => trials.get(mutant) ?? []);
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    lanes: { type: 'string', default: String(Math.min(availableParallelism(), 4)) },
    out: { type: 'string' },
  },
});
const { only, out } = values;
if (only !== undefined && out !== undefined)
  throw new Error('Only a run of all mutants is written to a page.');
ensureSchema();
const chosen = mutants.filter(({ mechanism }) => mechanism.includes(only ?? ''));
if (chosen.length === 0) throw new Error(`No mechanism is called ${only ?? ''}.`);
const trials = await tryAll(chosen, Number(values.lanes));
const command = ['node mutants/run.ts', ...process.argv.slice(2)].join(' ');
if (out !== undefined) await writeSection(out, runsPage, 'Mutants', mutantSection(trials, command));
const count = (verdict: Verdict) => trials.filter((trial) => trial.verdict === verdict).length;
log(verdicts.map((verdict) => `${count(verdict)} ${verdict}`).join(', '));
process.exitCode = count('noticed') === trials.length ? 0 : 1;
