/**
 * Changes a seeded sample of places of one folder, one after the other, and counts what its tests notice:
 * `node mutants/score.ts FOLDER [--share N] [--seed WORD] [--out FILE]`. A change that runs when a module is loaded is
 * left out: each would load every test anew.
 */
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { runsPage, writeSection } from '../scripts/document.ts';
import { scoreSection, type ScoredFolder } from './score-section.ts';

/** What is changed, which share of its places makes at least 100, and the tests that run. */
const folders = {
  core: { mutate: 'core/**/*.ts', share: '0.012', tests: 'core/**/*.test.ts' },
  server: { mutate: 'server/**/*.ts', share: '0.006', tests: 'server/**/*.test.ts' },
  // Components are driven by tests in a browser, where Stryker's runner does not go.
  renderer: { mutate: 'renderer/**/*.ts', share: '0.015', tests: 'renderer/**/*.test.ts' },
} as const;

function isFolder(text: string): text is keyof typeof folders {
  return Object.hasOwn(folders, text);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: 'chartkeeper' },
    share: { type: 'string' },
    out: { type: 'string' },
  },
});
const [name = ''] = positionals;
if (!isFolder(name)) throw new Error(`Name one of ${Object.keys(folders).join(', ')}.`);
const folder = folders[name];
const { seed, share = folder.share, out } = values;
process.env.MUTATED_TESTS = folder.tests;

const results = await new Stryker({
  mutate: [folder.mutate, '!**/{testing,generated}/**', '!**/*.{test,d}.ts'],
  testRunner: 'vitest',
  vitest: { configFile: 'mutants/vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner', './mutants/sample.ts'],
  checkers: ['sample'],
  sample: { seed, share: Number(share) },
  ignorePatterns: ['/dist', '/release'],
  ignoreStatic: true,
  disableTypeChecks: false,
  concurrency: 1,
  // A busy machine only takes longer.
  dryRunTimeoutMinutes: 120,
  timeoutMS: 30_000,
  timeoutFactor: 3,
  reporters: ['json'],
  jsonReporter: { fileName: `node_modules/.cache/mutants/${name}.json` },
  warnings: false,
  cleanTempDir: 'always',
}).runMutationTest();

const scored: ScoredFolder = { name, seed, share, tests: folder.tests, results };
const section = scoreSection(scored, process.cwd());
process.stdout.write(`${section}\n`);
if (out !== undefined) await writeSection(out, runsPage, `Mutation score: ${name}`, section);
