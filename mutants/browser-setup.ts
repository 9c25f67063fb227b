/** Runs in the page before each test file: switches the tried change on, and reports the covered changes. */
import { afterAll, beforeAll } from 'vitest';
import { commands } from 'vitest/browser';
import type {} from './browser-look.ts';

/** The object in which Stryker's sources read the active change and record coverage. */
interface Switch {
  activeMutant: string;
  /** Undefined while modules are loaded. */
  currentTestId?: string;
  readonly mutantCoverage: { readonly static: object; readonly perTest: Record<string, object> };
}

const world = globalThis as { __stryker__?: Switch };
const state: Switch = {
  activeMutant: await commands.activeMutant(),
  mutantCoverage: { static: {}, perTest: {} },
};
world.__stryker__ = state;

beforeAll(() => {
  state.currentTestId = 'tests';
});

// The runner requires the braces, although nothing is destructured.
// oxlint-disable-next-line no-empty-pattern
afterAll(async ({}, suite) => {
  const { tests = {} } = state.mutantCoverage.perTest;
  await commands.noteReached(suite.file.filepath, Object.keys(tests));
});
