/**
 * All benchmarks, one after the other: `node bench/all.ts [--stores DIR] [--out FILE] [--large N]`. Each runs to its end
 * whatever the others came to; exit code 1 where one of them missed a target or failed. API and large stores use the
 * same filled stores.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { storesFolder, type Cleanup } from './stores.ts';

async function bench(name: string, flags: readonly string[]): Promise<boolean> {
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
const cleanup: Cleanup = [];
try {
  const stores = await storesFolder(values.stores, cleanup);
  const out = values.out === undefined ? [] : ['--out', values.out];
  const sizes = values.large === undefined ? [] : ['--large', values.large];
  const ended = {
    page: await bench('page', out),
    api: await bench('api', ['--stores', stores, ...sizes, ...out]),
    large: await bench('large', ['--stores', stores, ...sizes, ...out]),
    mend: await bench('mend', ['--stores', stores, ...sizes, ...out]),
    beside: await bench('beside', ['--stores', stores, ...sizes, ...out]),
    bundles: await bench('bundles', out),
    remote: await bench('remote', out),
    profiles: await bench('profiles', out),
  };
  const missed = Object.entries(ended).flatMap(([name, reached]) => (reached ? [] : [name]));
  process.stdout.write(
    missed.length === 0 ? 'All targets are reached.\n' : `Missed: ${missed.join(', ')}.\n`,
  );
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  for (const undo of cleanup.reverse()) await undo();
}
