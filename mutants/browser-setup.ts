/** In the page, ahead of each file of tests: switches the change on that is tried, and tells which ones the tests ran through. */
import { afterAll, beforeAll } from 'vitest';
import { commands } from 'vitest/browser';
import type {} from './browser-look.ts';

/** Where Stryker's sources look which change is on, and note what they run through. */
interface Switch {
  activeMutant: string;
  /** Unset while modules are loaded. */
  currentTestId?: string;
  readonly mutantCoverage: { readonly static: object; readonly perTest: Record<string, object> };
}

const world = globalThis as { __stryker__?: Switch };
const ours: Switch = {
  activeMutant: await commands.activeMutant(),
  mutantCoverage: { static: {}, perTest: {} },
};
world.__stryker__ = ours;

beforeAll(() => {
  ours.currentTestId = 'tests';
});

// The runner wants the braces, whatever is taken of them.
// oxlint-disable-next-line no-empty-pattern
afterAll(async ({}, suite) => {
  const { tests = {} } = ours.mutantCoverage.perTest;
  await commands.noteReached(suite.file.filepath, Object.keys(tests));
});
