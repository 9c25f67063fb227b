import { defineConfig } from '@playwright/test';
import { browserFlags, ensureBrowser } from '../scripts/browser.ts';
import { findElectron } from '../scripts/electron-program.ts';
import { electronProgram, electronProject } from './electron-fixture.ts';

const chromium = {
  viewport: { width: 1280, height: 800 },
  // Fades cost the tests a sixth of their time; that the page honours the wish is a case of its own.
  contextOptions: { reducedMotion: 'reduce' as const },
  launchOptions: {
    executablePath: ensureBrowser(),
    args: [
      ...browserFlags,
      // No name is resolved, for the browser's own services neither: the tests work without a network.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  },
};

const doubleSpecs = '**/electron-*.spec.ts';
const electron = electronProgram();
// This file is read by each worker too; the line is for the run.
if (electron === undefined && process.env.TEST_WORKER_INDEX === undefined) {
  process.stderr.write(`electron: not run, no ${findElectron() === undefined ? 'binary' : 'display'}\n`);
}

export default defineConfig({
  globalSetup: './cluster.ts',
  testDir: '.',
  outputDir: '../test-results',
  fullyParallel: true,
  forbidOnly: process.env.CI !== undefined,
  // So long that a busy machine never meets them: they end what hangs.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  workers: 2,
  // A test that passes only at a second try hides a fault of the product or of the test.
  retries: 0,
  projects: [
    { name: 'browser', testIgnore: doubleSpecs, use: chromium },
    // The desktop app with a double in Electron's place.
    { name: 'double', testMatch: doubleSpecs, workers: 1, use: chromium },
    // The same specs as in the browser, in the desktop app itself; a test with the tag has no meaning there.
    ...(electron === undefined
      ? []
      : [
          {
            name: electronProject,
            testIgnore: doubleSpecs,
            grepInvert: /@browser/,
            workers: 1,
            use: chromium,
          },
        ]),
  ],
});
