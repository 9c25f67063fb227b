import { configDefaults, defineConfig } from 'vitest/config';

/** Tests that put another module in a module's place: each file has a world of its own. */
const replacing = [
  'main/**/*.test.ts',
  'server/store/open-{database,settings}.test.ts',
  'server/import/import-records.test.ts',
];

export default defineConfig({
  test: {
    globalSetup: ['scripts/test-setup.ts'],
    // So long that a busy machine never meets them: they end what hangs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    // More than a small machine's cores: a server's test often waits.
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: 'replacing', include: replacing } },
      {
        extends: true,
        test: {
          name: 'plain',
          include: ['{core,server,renderer,scripts,bench,faults,mutants}/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...replacing],
          // Files of one worker share what they import: loading it anew for each takes longer than the tests.
          isolate: false,
        },
      },
    ],
  },
});
