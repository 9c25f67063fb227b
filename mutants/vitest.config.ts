import { configDefaults, defineConfig } from 'vitest/config';

/**
 * Configures the tests for mutants: the tests in Node that share their modules. A test that starts a process
 * cannot notice a mutant there.
 */
export default defineConfig({
  test: {
    globalSetup: ['scripts/test-setup.ts'],
    include: [process.env.MUTATED_TESTS ?? '{core,server,renderer}/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      '**/*.{long,browser}.test.ts',
      'server/{commands/{*-command,browser-window},audit-key,audit-log-watch,serve,shared-edition,worker}.test.ts',
      'server/conformance/{canaries,fuzz,suites}.test.ts',
      'server/http/{access-matrix,disk-full}.test.ts',
      'server/import/import-records.test.ts',
      'server/sqlite/{folder-lock,open-database,open-settings}.test.ts',
      'server/store/sqlite/verify.test.ts',
      ...(process.env.MUTATED_WITHOUT ? [process.env.MUTATED_WITHOUT] : []),
    ],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    isolate: false,
  },
});
