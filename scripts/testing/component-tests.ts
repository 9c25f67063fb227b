import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { configDefaults, type TestProjectInlineConfiguration } from 'vitest/config';
import { browserFlags } from '../browser.ts';
import { pageServers, requestCommands, serverCommands } from './page-servers.ts';

export const components = 'renderer/**/*.browser.test.tsx';
/** Tests that only `npm run test:faults` runs. */
const excludedTests = process.env.LONG_TESTS === undefined ? ['**/*.long.browser.test.tsx'] : [];
export const noBrowser = 'scripts/testing/no-browser.test.ts';

/**
 * Returns the project of tests that drive components in a browser. Without a browser, one skipped test
 * reports that.
 */
export function createComponentProject(executablePath: string | undefined): TestProjectInlineConfiguration {
  if (executablePath === undefined) {
    return { extends: true, test: { name: 'components', include: [noBrowser] } };
  }
  return {
    extends: true,
    plugins: [react(), pageServers],
    // Bundle all dependencies before the first test: a later discovery reloads every page.
    optimizeDeps: { entries: ['renderer/main.tsx', components] },
    test: {
      name: 'components',
      include: [components],
      exclude: [...configDefaults.exclude, ...excludedTests],
      // One page for all files in turn: the editor takes longer to load than most tests to run.
      isolate: false,
      fileParallelism: false,
      // A group has one number of workers.
      sequence: { groupOrder: 1 },
      browser: {
        // As long as a test, because a busy machine starts a browser late.
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
