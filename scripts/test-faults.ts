/**
 * The unit tests that take minutes, those whose counts are short in `npm test`, and the faults with full counts. With
 * arguments, which are those of `faults/run.ts`, the faults alone. Exit code 1 where anything fails.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { root } from './schema-sources.ts';

/** Whether a program of the project ends well. */
function run(program: string, ...given: readonly string[]): boolean {
  const { status } = spawnSync(process.execPath, [resolve(root, program), ...given], {
    stdio: 'inherit',
    cwd: root,
    env: { ...process.env, LONG_TESTS: '1', FUZZ_COUNT: '10000' },
  });
  return status === 0;
}
const unit = (...given: readonly string[]) => run('node_modules/vitest/vitest.mjs', 'run', ...given);

const chosen = process.argv.slice(2);
const ended =
  chosen.length > 0
    ? []
    : [
        unit(
          ...['--project', 'plain', '.long.test.ts'],
          // Property tests draw anew.
          ...['core/', 'server/backups/thinning.test.ts', 'server/workspace/racing-servers.test.ts'],
          ...['fuzz', 'suites', 'real-records', 'real-records-mended', 'views-agree'].map(
            (name) => `server/conformance/${name}.test.ts`,
          ),
          ...['search-mix', 'search-naive', 'search-real-data'].map((name) => `server/http/${name}.test.ts`),
          'server/store/sqlite/contract.test.ts',
        ),
        unit('--project', 'components*', 'renderer/features/reading', '.long.browser.test.tsx'),
        // All that holds of servers over a shared store.
        unit('--project', 'shared', '--passWithNoTests'),
      ];
ended.push(run('faults/run.ts', ...chosen));
process.exitCode = ended.every(Boolean) ? 0 : 1;
