import { defineConfig } from '@playwright/test';

const { CHROMIUM } = process.env;

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/example',
  // Each worker has a server of its own.
  workers: 1,
  // Another Chromium than Playwright's own, where the machine has none of these.
  use: { launchOptions: { ...(CHROMIUM !== undefined && { executablePath: CHROMIUM }) } },
});
