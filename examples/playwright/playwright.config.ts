import { defineConfig } from '@playwright/test';

const { CHROMIUM } = process.env;

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/example',
  // Each worker has its own server.
  workers: 1,
  // Another Chromium, if the machine does not have Playwright's.
  use: { launchOptions: { ...(CHROMIUM !== undefined && { executablePath: CHROMIUM }) } },
});
