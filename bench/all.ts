/**
 * Runs all benchmarks one after another: `node bench/all.ts [--stores DIR] [--out FILE] [--large N]`. A
 * missed target does not stop the others. Exit code 1 if a benchmark missed a target or failed. API and large
 * stores share the filled stores.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { getStoresFolder, type CleanupSteps } from './stores.ts';

async function runBench(name: string, flags: readonly string[]): Promise<boolean> {
  process.stderr.write(`bench/${name}.ts\n`);
  const child = spawn(process.execPath, [resolve(import.meta.dirname, `${name}.ts`), ...flags], {
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

const { values } = parseArgs({
  options: { stores: { type: 'string' }, out: { type: 'string' }, large: { type: 'string' } },
});
const cleanupSteps: CleanupSteps = [];
try {
  const stores = await getStoresFolder(values.stores, cleanupSteps);
  const outputArguments = values.out === undefined ? [] : ['--out', values.out];
  const sizes = values.large === undefined ? [] : ['--large', values.large];
  const results = {
    page: await runBench('page', outputArguments),
    api: await runBench('api', ['--stores', stores, ...sizes, ...outputArguments]),
    large: await runBench('large', ['--stores', stores, ...sizes, ...outputArguments]),
    mend: await runBench('mend', ['--stores', stores, ...sizes, ...outputArguments]),
    beside: await runBench('beside', ['--stores', stores, ...sizes, ...outputArguments]),
    bundles: await runBench('bundles', outputArguments),
    remote: await runBench('remote', outputArguments),
    profiles: await runBench('profiles', outputArguments),
  };
  const missed = Object.entries(results).flatMap(([name, isReached]) => (isReached ? [] : [name]));
  process.stdout.write(
    missed.length === 0 ? 'All targets are reached.\n' : `Missed: ${missed.join(', ')}.\n`,
  );
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  for (const undo of cleanupSteps.reverse()) await undo();
}
