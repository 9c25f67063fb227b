/** The unit tests that take minutes, and those whose counts are short in `npm test`; exit code as vitest's. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { root } from './schema-sources.ts';

/** Exit code of a run. */
function run(...given: readonly string[]): number {
  const { status } = spawnSync(
    process.execPath,
    [resolve(root, 'node_modules/vitest/vitest.mjs'), 'run', ...given],
    { stdio: 'inherit', cwd: root, env: { ...process.env, LONG_TESTS: '1', FUZZ_COUNT: '10000' } },
  );
  return status ?? 1;
}

const plain = run(
  ...['--project', 'plain', '.long.test.ts'],
  ...['fuzz', 'suites', 'real-records'].map((name) => `server/conformance/${name}.test.ts`),
  ...['search-mix', 'search-naive', 'search-real-data'].map((name) => `server/http/${name}.test.ts`),
  'server/store/sqlite/contract.test.ts',
);
const read = run('--project', 'components*', 'renderer/features/reading', '.long.browser.test.tsx');
// All that holds of servers over a shared store.
process.exitCode = plain || read || run('--project', 'shared', '--passWithNoTests');
