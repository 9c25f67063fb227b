import type { Cleanup } from './stores.ts';

/** Says on stderr how far a benchmark is; its figures go to stdout. */
export const log = (line: string) => void process.stderr.write(`${line}\n`);

/**
 * Runs a benchmark, which answers whether its targets were reached, and undoes what it left, last first. Exit code 1 where
 * a target was missed or it failed; one that is set already stays.
 */
export async function runBenchmark(run: (cleanup: Cleanup) => Promise<boolean>): Promise<void> {
  const cleanup: Cleanup = [];
  try {
    const reached = await run(cleanup);
    if (!reached) log('A target was missed.');
    process.exitCode ??= reached ? 0 : 1;
  } catch (error) {
    log(`The benchmark failed. ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  } finally {
    for (const undo of cleanup.reverse()) await undo();
  }
}
