import { defineConfig } from '@playwright/test';
import { ensureBrowser } from '../scripts/browser.ts';

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  fullyParallel: true,
  forbidOnly: process.env.CI !== undefined,
  timeout: 60_000,
  expect: { timeout: 20_000 },
  workers: 2,
  projects: [
    {
      name: 'browser',
      use: {
        viewport: { width: 1280, height: 800 },
        launchOptions: {
          executablePath: ensureBrowser(),
          args: [
            '--no-sandbox',
            '--disable-gpu',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-sync',
            '--no-first-run',
            // No name is resolved, for the browser's own services neither: the tests work without a network.
            '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
          ],
        },
      },
    },
  ],
});
