import { configDefaults, defineConfig } from 'vitest/config';
import { findTestBrowser } from './scripts/browser.ts';
import { postgresPrograms } from './server/testing/postgres.ts';
import { components, createComponentProject, noBrowser } from './scripts/testing/component-tests.ts';

/** Tests that put another module in a module's place: each file has a world of its own. */
const replacing = [
  'main/**/*.test.ts',
  'server/sqlite/open-{database,settings}.test.ts',
  'server/import/import-records.test.ts',
  'scripts/api-docs.test.ts',
];

/** Tests that take minutes: `npm run test:faults` has them (scripts/test-faults.ts). */
const long = process.env.LONG_TESTS === undefined ? ['**/*.long.test.ts'] : [];

/** Tests that `npm test` runs a second time, with servers over a shared store; `npm run test:faults` has the others. */
const shared = ['server/conformance/rows-{read,update}.test.ts', 'server/find/naive-finder.test.ts'];

/** All other tests that send requests to a server, except tests of a part that only a data folder has. */
const sharedToo = [
  'server/conformance/*.test.ts',
  'server/find/naive-finder.test.ts',
  'server/http/*.test.ts',
  'server/shared/openid/openid-routes.test.ts',
  'server/validation/{judging,profiles,relations}.test.ts',
];
const notShared = [
  // One folder is served twice, at two levels of validation.
  'server/conformance/rows-ratchet.test.ts',
  // Files of backups, and a disk without room for them.
  'server/http/{backup-routes,damaged-backups,disk-full}.test.ts',
  // Training sets and their exercises, which the page loads.
  'server/http/{practice,training}-routes.test.ts',
  // Every address of the app itself, also the addresses of backups and training.
  'server/http/answer-shapes.test.ts',
  // Who reads nothing of an answer, counted by turns of a process that waits for nobody.
  'server/http/pending-responses.test.ts',
  // Guesses are counted in memory, before a store is asked.
  'server/http/throttle.test.ts',
  'server/http/*.long.test.ts',
];

/** Tests that run on a desktop build without the shared edition; `npm run test:faults` has all rows. */
const desktop = ['server/shared-edition.test.ts'];
const desktopRows = long.length > 0 ? '{read,update}' : '*';
/** Its server has profiles that no flag sets. */
const notDesktop = ['server/conformance/rows-validate.test.ts'];

/** Without PostgreSQL none: postgres/contract.long.test.ts says so, as do the names of tests that need it. */
function sharedTests(): readonly string[] {
  if (postgresPrograms() === undefined) return [];
  return long.length > 0 ? shared : sharedToo;
}

export default defineConfig({
  test: {
    globalSetup: ['scripts/test-setup.ts'],
    // Time limits only end tests that hang. They are long, so that a busy machine never reaches them.
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
          exclude: [...configDefaults.exclude, ...replacing, ...desktop, ...long, components, noBrowser],
          setupFiles: ['scripts/testing/draws.ts'],
          // Files of one worker share imported modules, because loading them again for each file takes longer than the
          // tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'shared',
          include: [...sharedTests()],
          exclude: [...configDefaults.exclude, ...notShared],
          env: { CHARTKEEPER_TEST_ENGINE: 'postgres' },
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'desktop',
          include: [...desktop, `server/conformance/rows-${desktopRows}.test.ts`],
          exclude: [...configDefaults.exclude, ...notDesktop],
          globalSetup: ['scripts/testing/desktop-build.ts'],
          env: { CHARTKEEPER_TEST_ENGINE: 'desktop' },
          isolate: false,
        },
      },
      createComponentProject(findTestBrowser()),
    ],
  },
});
