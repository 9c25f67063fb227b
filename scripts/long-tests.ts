/** The unit tests that take minutes, and those whose counts are short in `npm test`; exit code as vitest's. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { root } from './schema-sources.ts';

const { status } = spawnSync(
  process.execPath,
  [
    resolve(root, 'node_modules/vitest/vitest.mjs'),
    ...['run', '--project', 'plain', '.long.test.ts'],
    ...['fuzz', 'suites'].map((name) => `server/conformance/${name}.test.ts`),
    'server/http/search-naive.test.ts',
  ],
  { stdio: 'inherit', cwd: root, env: { ...process.env, LONG_TESTS: '1', FUZZ_COUNT: '10000' } },
);
process.exitCode = status ?? 1;
