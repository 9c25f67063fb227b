/**
 * Tries a seeded sample of changes of a folder one after another, and counts which its tests notice:
 * `node mutants/score.ts FOLDER [--share N] [--seed WORD] [--out FILE]`.
 * Skips changes that run when a module is loaded: each would load every test again.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { runsPage, writeSection } from '../scripts/document.ts';
import { tryAll, type TestSet, type MutationProgress } from './looks.ts';
import { formatScoreSection, type ScoredFolder } from './score-section.ts';

const createOwnTests = (folder: string): TestSet => ({ name: 'own', tests: `${folder}/**/*.test.ts` });
/** The tests that need PostgreSQL. */
const postgresTests = 'server/shared/{move,postgres}/**/*.test.ts';
/** The tests of folders that use core. */
const dependentTests: TestSet = {
  name: 'others',
  tests: '{server,renderer}/**/*.test.ts',
  excluded: postgresTests,
};

/** Sources of each folder, the share that gives at least 100 changes, and the test sets in order. */
const folders = {
  core: {
    mutate: 'core/**/*.ts',
    share: '0.012',
    looks: [createOwnTests('core'), dependentTests],
  },
  server: {
    mutate: 'server/**/*.ts',
    share: '0.0027',
    looks: [
      { ...createOwnTests('server'), excluded: postgresTests },
      { name: 'postgres', tests: postgresTests },
    ],
  },
  renderer: {
    mutate: 'renderer/**/*.{ts,tsx}',
    share: '0.005',
    looks: [
      createOwnTests('renderer'),
      { name: 'components', tests: 'renderer/**/*.browser.test.tsx', browser: true },
    ],
  },
} as const satisfies Record<string, { looks: readonly TestSet[]; mutate: string; share: string }>;

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

let progress: MutationProgress | undefined;
const cacheFolder = 'node_modules/.cache/mutants';
await mkdir(cacheFolder, { recursive: true });
const mutate = [folder.mutate, '!**/{testing,generated}/**', '!**/*.{test,d}.{ts,tsx}'];
for await (const current of tryAll(mutate, { seed, share: Number(share) }, folder.looks)) {
  progress = current;
  await writeFile(`${cacheFolder}/${name}.json`, JSON.stringify(progress));
}
if (!progress) throw new Error(`Nothing of ${folder.mutate} can be changed.`);
const command = ['npm run test:score --', ...process.argv.slice(2)].join(' ');
const scored: ScoredFolder = { seed, share, command, testSets: folder.looks, ...progress };
const section = formatScoreSection(scored, process.cwd());
process.stdout.write(`${section}\n`);
if (out !== undefined) await writeSection(out, runsPage, `Mutation score: ${name}`, section);
