import type { Cleanup } from './stores.ts';

/** Prints progress to stderr. Figures go to stdout. */
export const log = (line: string) => void process.stderr.write(`${line}\n`);

/**
 * Runs a benchmark and its cleanup, last step first. Sets exit code 1 if a target was missed or it failed. An
 * existing exit code is kept.
 *
 * @param run - Returns true if all targets were reached.
 */
export async function runBenchmark(run: (cleanup: Cleanup) => Promise<boolean>): Promise<void> {
  const cleanup: Cleanup = [];
  try {
    const isReached = await run(cleanup);
    if (!isReached) log('A target was missed.');
    process.exitCode ??= isReached ? 0 : 1;
  } catch (error) {
    log(`The benchmark failed. ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  } finally {
    for (const undo of cleanup.reverse()) await undo();
  }
}
