/** `chartkeeper move`: moves everything that a store holds from a data folder into a shared store, and back. */
import { Option, type Command } from 'commander';
import { resolve } from 'node:path';
import { formatCount, formatPlural } from '../../core/text/language.ts';
import { auditKeyOf, flagOption } from './command-options.ts';
import type { MoveOrder } from '../move/move.ts';
import { startProgress } from './progress-line.ts';
import { StoreBusyError } from '../store/store-error.ts';
import type { RawFlags } from './read-flags.ts';

/** Prints what came and what differs; answers whether everything is there, and was whole. */
async function runMove(order: MoveOrder): Promise<boolean> {
  const lines = new Map<string, ReturnType<typeof startProgress>>();
  const clear = () => lines.forEach((line) => line.clear());
  const say = (sentence: string) => {
    clear();
    process.stdout.write(`${sentence}\n`);
  };
  const reached = (done: number, total: number, unit: string) => {
    const line = lines.get(unit) ?? startProgress(total, unit);
    if (!lines.has(unit)) clear();
    lines.set(unit, line);
    line.reached(done);
  };
  const { move } = await import('../move/move.ts');
  const moved = await move(order, { report: say, reportProgress: reached }).catch(toldAgain).finally(clear);
  if (!moved) {
    say(
      'The move is incomplete. No server can start on the destination. Create it again and repeat the move.',
    );
    return false;
  }
  const { counts, digest, found } = moved;
  const there = counts.filter(([, count]) => count > 0);
  for (const [unit, count] of there) say(`${formatCount(count).padStart(12)} ${unit}`);
  say(`SHA-256 of all of it, the same in both: ${digest}`);
  if (there.some(([unit]) => unit === 'connections'))
    say('Secrets of connections were not moved (they are in --secrets). Enter them again.');
  if (found > 0) say(formatPlural(found, foundForms));
  return found === 0;
}

/** What a cut or a database that is not reached means for a move. */
function toldAgain(error: unknown): never {
  if (!(error instanceof StoreBusyError)) throw error;
  throw new Error(`${error.message} Run the command again to continue.`);
}

const foundForms = {
  one: 'The move is complete. The problem listed above already existed in the source.',
  other: 'The move is complete. The {n} problems listed above already existed in the source.',
};

export function addMove(program: Command): void {
  const place = (given: string) => (given.includes('://') ? given : resolve(given));
  program
    .command('move')
    .description(
      'move everything from a data folder to a shared store, or back; an interrupted move continues when run again; exit code 1 if anything differs or was damaged',
    )
    .addOption(
      new Option(
        '--from <place>',
        'a data folder (server must be stopped), or postgres://USER@HOST:PORT/DATABASE',
      )
        .argParser(place)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--to <place>',
        'the other one: a new folder, or an empty store, as the role that owns its tables',
      )
        .argParser(place)
        .makeOptionMandatory(),
    )
    .addOption(flagOption('--audit-key-file'))
    .action(async ({ from, to, ...raw }: RawFlags & Pick<MoveOrder, 'from' | 'to'>) => {
      if (!(await runMove({ from, to, key: await auditKeyOf(raw) }))) process.exitCode = 1;
    });
}
