import type { CleanupSteps } from './stores.ts';

/** Prints progress to stderr. Figures go to stdout. */
export const log = (line: string) => void process.stderr.write(`${line}\n`);

/**
 * Runs a benchmark, then its cleanup steps in reverse order. Sets exit code 1 if the benchmark failed, or if a target
 * was missed and no exit code is set.
 *
 * @param run - Returns true if all targets were reached.
 */
export async function runBenchmark(run: (cleanupSteps: CleanupSteps) => Promise<boolean>): Promise<void> {
  const cleanupSteps: CleanupSteps = [];
  try {
    const areTargetsReached = await run(cleanupSteps);
    if (!areTargetsReached) log('A target was missed.');
    process.exitCode ??= areTargetsReached ? 0 : 1;
  } catch (error) {
    log(`The benchmark failed. ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  } finally {
    for (const undo of cleanupSteps.reverse()) await undo();
  }
}
