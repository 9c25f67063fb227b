import { expect, test } from 'vitest';
import { listTests, selectTests, type EndToEndTest } from './end-to-end-sample.ts';

const jobsOf = (tests: readonly EndToEndTest[]) => [...new Set(tests.map(({ job }) => job))].sort();

test('selects at least 120 tests and at least one of each job', () => {
  const tests = listTests();
  const selection = selectTests(tests, 7);
  expect(selection.length).toBeGreaterThanOrEqual(120);
  expect(jobsOf(selection)).toEqual(jobsOf(tests));
  for (const job of ['conflict', 'history', 'checks', 'access', 'settings', 'save'])
    expect(selection.filter((test) => test.job === job)).toEqual(tests.filter((test) => test.job === job));
});

test('selects the same tests for the same seed and each test for one of the seeds', () => {
  const tests = Array.from({ length: 9 }, (_, index) => ({
    file: 'search.spec.ts',
    title: `finds ${index}`,
    projectName: 'browser',
    job: 'search',
  }));
  expect(selectTests(tests, 5)).toEqual(selectTests(tests, 5));
  const selections = [0, 1, 2, 3].map((seed) => selectTests(tests, seed));
  for (const selection of selections) expect(selection.length).toBeLessThanOrEqual(3);
  expect(new Set(selections.flat())).toEqual(new Set(tests));
});
