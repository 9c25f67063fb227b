/** `chartkeeper move`: moves all contents of a data folder to a shared store, or back. */
import { Option, type Command } from 'commander';
import { resolve } from 'node:path';
import { formatCount, formatPlural } from '../../core/text/language.ts';
import { auditKeyOf, flagOption } from './command-options.ts';
import type { MoveOrder } from '../shared/move/move.ts';
import { loadShared } from '../shared-edition.ts';
import { startProgress } from './progress-line.ts';
import { StoreBusyError } from '../store/store-error.ts';
import type { RawFlags } from './read-flags.ts';

/** Prints the moved counts and the differences. Returns true if the move is complete and the source was intact. */
async function runMove(request: MoveOrder): Promise<boolean> {
  const lines = new Map<string, ReturnType<typeof startProgress>>();
  const clear = () => lines.forEach((line) => line.clear());
  const printLine = (sentence: string) => {
    clear();
    process.stdout.write(`${sentence}\n`);
  };
  const reportProgress = (done: number, total: number, unit: string) => {
    const line = lines.get(unit) ?? startProgress(total, unit);
    if (!lines.has(unit)) clear();
    lines.set(unit, line);
    line.update(done);
  };
  const { move } = await loadShared(import('../shared/move/move.ts'));
  const result = await move(request, { report: printLine, reportProgress })
    .catch(rethrowWithAdvice)
    .finally(clear);
  if (!result) {
    printLine(
      'The move is incomplete. No server can start on the destination. Create it again and repeat the move.',
    );
    return false;
  }
  const { counts, digest, found: problemCount } = result;
  const presentCounts = counts.filter(([, count]) => count > 0);
  for (const [unit, count] of presentCounts) printLine(`${formatCount(count).padStart(12)} ${unit}`);
  printLine(`SHA-256 of all of it, the same in both: ${digest}`);
  if (presentCounts.some(([unit]) => unit === 'connections'))
    printLine('Secrets of connections were not moved (they are in --secrets). Enter them again.');
  if (problemCount > 0) printLine(formatPlural(problemCount, problemForms));
  return problemCount === 0;
}

/** Rethrows an error. Advises to repeat the command if the database was unreachable. */
function rethrowWithAdvice(error: unknown): never {
  if (!(error instanceof StoreBusyError)) throw error;
  throw new Error(`${error.message} Run the command again to continue.`);
}

const problemForms = {
  one: 'The move is complete. The problem listed above already existed in the source.',
  other: 'The move is complete. The {n} problems listed above already existed in the source.',
};

export function addMove(program: Command): void {
  const resolvePlace = (location: string) => (location.includes('://') ? location : resolve(location));
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
        .argParser(resolvePlace)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--to <place>',
        'the other one: a new folder, or an empty store, as the role that owns its tables',
      )
        .argParser(resolvePlace)
        .makeOptionMandatory(),
    )
    .addOption(flagOption('--audit-key-file'))
    .action(async ({ from, to, ...raw }: RawFlags & Pick<MoveOrder, 'from' | 'to'>) => {
      if (!(await runMove({ from, to, key: await auditKeyOf(raw) }))) process.exitCode = 1;
    });
}
