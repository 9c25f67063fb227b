/** `chartkeeper move`: moves everything that a store holds from a data folder into a shared store, and back. */
import { Option, type Command } from 'commander';
import { resolve } from 'node:path';
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
  const moved = await move(order, { say, reached }).catch(toldAgain).finally(clear);
  if (!moved) {
    say(
      'The move has not ended, and no server starts on what was moved. Make the destination anew, and move again.',
    );
    return false;
  }
  const { counts, digest, found } = moved;
  const there = counts.filter(([, count]) => count > 0);
  for (const [unit, count] of there) say(`${count.toLocaleString('en').padStart(12)} ${unit}`);
  say(`SHA-256 of all of it, the same in both: ${digest}`);
  if (there.some(([unit]) => unit === 'connections'))
    say('Connections came without their secrets, which lie elsewhere (--secrets): enter them again.');
  if (found > 0) say(`The move has ended. What is named above (${found}) was so in the source.`);
  return found === 0;
}

/** What a cut or a database that is not reached means for a move. */
function toldAgain(error: unknown): never {
  if (!(error instanceof StoreBusyError)) throw error;
  const code = error.code === '' ? '' : ` (${error.code})`;
  throw new Error(
    `${error.message.replace(/\.$/, '')}${code}. Run the command again: it goes on where it was.`,
  );
}

export function addMove(program: Command): void {
  const place = (given: string) => (given.includes('://') ? given : resolve(given));
  program
    .command('move')
    .description(
      'move everything from a data folder into a shared store, or back; stopped, it goes on when it is run again; exit code 1 where something differs or was damaged',
    )
    .addOption(
      new Option(
        '--from <place>',
        'a data folder that is not being served, or postgres://USER@HOST:PORT/DATABASE',
      )
        .argParser(place)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--to <place>',
        'the other one: a new folder, or an empty store as the role that owns its tables',
      )
        .argParser(place)
        .makeOptionMandatory(),
    )
    .addOption(flagOption('--audit-key-file'))
    .action(async ({ from, to, ...raw }: RawFlags & Pick<MoveOrder, 'from' | 'to'>) => {
      if (!(await runMove({ from, to, key: await auditKeyOf(raw) }))) process.exitCode = 1;
    });
}
