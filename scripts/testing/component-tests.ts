import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { configDefaults, type TestProjectInlineConfiguration } from 'vitest/config';
import { browserFlags } from '../browser.ts';
import { pageServers, requestCommands, serverCommands } from './page-servers.ts';

export const components = 'renderer/**/*.browser.test.tsx';
/** Tests that `npm run test:faults` has. */
const long = process.env.LONG_TESTS === undefined ? ['**/*.long.browser.test.tsx'] : [];
export const noBrowser = 'scripts/testing/no-browser.test.ts';

/** Tests that drive components in a browser; where there is none, a test that says so. */
export function componentTests(executablePath: string | undefined): TestProjectInlineConfiguration {
  if (executablePath === undefined) {
    return { extends: true, test: { name: 'components', include: [noBrowser] } };
  }
  return {
    extends: true,
    plugins: [react(), pageServers],
    // All that a test may load is bundled before the first: what is found later loads every page anew.
    optimizeDeps: { entries: ['renderer/main.tsx', components] },
    test: {
      name: 'components',
      include: [components],
      exclude: [...configDefaults.exclude, ...long],
      // One page for all files, in turn: the editor alone takes longer to load than most tests to run.
      isolate: false,
      fileParallelism: false,
      // A group has one number of workers.
      sequence: { groupOrder: 1 },
      browser: {
        // As long as a test: a busy machine starts a browser late.
        connectTimeout: 600_000,
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions: { executablePath, args: [...browserFlags] } }),
        instances: [{ browser: 'chromium' }],
        viewport: { width: 1280, height: 800 },
        commands: { ...serverCommands, ...requestCommands },
      },
    },
  };
}
