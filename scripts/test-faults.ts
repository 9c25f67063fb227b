/**
 * Runs the unit tests that take minutes, the tests with short counts in `npm test`, and the fault cases with full
 * counts. With arguments of `faults/run.ts`, only runs the fault cases. Exit code 1 if anything fails.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { root } from './schema-sources.ts';

/** Runs a program of the project. Returns true if it succeeds. */
function run(program: string, ...parameters: readonly string[]): boolean {
  const { status } = spawnSync(process.execPath, [resolve(root, program), ...parameters], {
    stdio: 'inherit',
    cwd: root,
    env: { ...process.env, LONG_TESTS: '1', FUZZ_COUNT: '10000' },
  });
  return status === 0;
}
const unit = (...parameters: readonly string[]) =>
  run('node_modules/vitest/vitest.mjs', 'run', ...parameters);

const caseParameters = process.argv.slice(2);
const results =
  caseParameters.length > 0
    ? []
    : [
        unit(
          '--project',
          'plain',
          '.long.test.ts',
          // Property tests use a new seed.
          'core/',
          'server/backups/retention.test.ts',
          'server/shared/racing-servers.test.ts',
          ...['fuzz', 'suites', 'real-records', 'real-records-mended', 'views-agree'].map(
            (name) => `server/conformance/${name}.test.ts`,
          ),
          ...['search-mix', 'search-naive', 'search-real-data'].map((name) => `server/http/${name}.test.ts`),
          'server/store/sqlite/contract.test.ts',
        ),
        unit('--project', 'components*', 'renderer/features/reading', '.long.browser.test.tsx'),
        // All rows on a build without the shared edition.
        unit('--project', 'desktop'),
        // All tests of servers over a shared store.
        unit('--project', 'shared', '--passWithNoTests'),
      ];
results.push(run('faults/run.ts', ...caseParameters));
process.exitCode = results.every(Boolean) ? 0 : 1;
