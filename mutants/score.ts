/**
 * Changes a seeded sample of places of one folder, one after the other, and counts what its tests notice:
 * `node mutants/score.ts FOLDER [--share N] [--seed WORD] [--out FILE]`. A change that runs when a module is loaded is
 * left out: each would load every test anew.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { runsPage, writeSection } from '../scripts/document.ts';
import { tryAll, type Look, type Tried } from './looks.ts';
import { scoreSection, type ScoredFolder } from './score-section.ts';

const own = (folder: string): Look => ({ name: 'own', tests: `${folder}/**/*.test.ts` });
/** Those that need PostgreSQL's programs. */
const ofPostgres = 'server/{move,store/postgres}/**/*.test.ts';
/** Who uses what core has, and runs through it. */
const others: Look = { name: 'others', tests: '{server,renderer}/**/*.test.ts', without: ofPostgres };

/** What is changed, which share of its places makes at least 100, and the tests that are tried in turn. */
const folders = {
  core: {
    mutate: 'core/**/*.ts',
    share: '0.012',
    looks: [own('core'), others],
  },
  server: {
    mutate: 'server/**/*.ts',
    share: '0.0027',
    looks: [
      { ...own('server'), without: ofPostgres },
      { name: 'postgres', tests: ofPostgres },
    ],
  },
  renderer: {
    mutate: 'renderer/**/*.{ts,tsx}',
    share: '0.005',
    looks: [own('renderer'), { name: 'components', tests: 'renderer/**/*.browser.test.tsx', browser: true }],
  },
} as const satisfies Record<string, { looks: readonly Look[]; mutate: string; share: string }>;

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

let tried: Tried | undefined;
const kept = 'node_modules/.cache/mutants';
await mkdir(kept, { recursive: true });
const mutate = [folder.mutate, '!**/{testing,generated}/**', '!**/*.{test,d}.{ts,tsx}'];
for await (const now of tryAll(mutate, { seed, share: Number(share) }, folder.looks)) {
  tried = now;
  await writeFile(`${kept}/${name}.json`, JSON.stringify(tried));
}
if (!tried) throw new Error(`Nothing of ${folder.mutate} can be changed.`);
const command = ['npm run test:score --', ...process.argv.slice(2)].join(' ');
const scored: ScoredFolder = { seed, share, command, looks: folder.looks, ...tried };
const section = scoreSection(scored, process.cwd());
process.stdout.write(`${section}\n`);
if (out !== undefined) await writeSection(out, runsPage, `Mutation score: ${name}`, section);
