import { defineConfig } from '@playwright/test';
import { browserFlags, ensureBrowser } from '../scripts/browser.ts';
import { findElectron } from '../scripts/electron-program.ts';
import { electronProgram, electronProject } from './electron-fixture.ts';

const chromium = {
  viewport: { width: 1280, height: 800 },
  // Animations cost a sixth of the test time. A separate test checks that the page respects this setting.
  contextOptions: { reducedMotion: 'reduce' as const },
  launchOptions: {
    executablePath: ensureBrowser(),
    args: [
      ...browserFlags,
      // No name is resolved, not even for the browser's own services: the tests work without a network.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  },
};

const doubleSpecs = '**/electron-*.spec.ts';
const electron = electronProgram();
// Each worker reads this file too. The message is for the run.
if (electron === undefined && process.env.TEST_WORKER_INDEX === undefined) {
  process.stderr.write(`electron: not run, no ${findElectron() === undefined ? 'binary' : 'display'}\n`);
}

export default defineConfig({
  globalSetup: './cluster.ts',
  testDir: '.',
  outputDir: '../test-results',
  fullyParallel: true,
  forbidOnly: process.env.CI !== undefined,
  // Long enough for a busy machine. The limits only end hanging tests.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  workers: 2,
  // A test that passes only on a second try hides a bug of the product or of the test.
  retries: 0,
  projects: [
    { name: 'browser', testIgnore: doubleSpecs, use: chromium },
    // The desktop app with a double instead of Electron.
    { name: 'double', testMatch: doubleSpecs, workers: 1, use: chromium },
    // The specs of the browser in the desktop app itself. Tests with the tag make no sense there.
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
