import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cases } from './cases.ts';
import type { FaultReport } from './report.ts';
import { root } from '../scripts/bundles.ts';
import { runsPage, sectionsOf, trustPage, writeSection, type Page } from '../scripts/document.ts';
import { claims } from './claims.ts';
import { leftOf, mergeReports, publishFaults } from './publish.ts';
import { claimSection, titleSection } from './trust.ts';

let folder: string;
let page: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-trust-'));
  page = join(folder, 'trust.md');
});
afterEach(() => rm(folder, { recursive: true }));

const full: FaultReport = {
  extent: 'full',
  seed: 7,
  cases: [
    {
      name: 'one',
      claim: 'Nothing is lost.',
      seconds: 1312,
      finding: { result: 'passed', figures: { cycles: 200, 'acknowledged writes': 14210, median: '3 ms' } },
    },
    { name: 'two', claim: 'It stands.', seconds: 0, finding: { result: 'not run', reason: 'No compiler.' } },
    {
      name: 'three',
      claim: 'It holds.',
      seconds: 5,
      finding: { result: 'failed', figures: { lost: 1 }, reason: 'A write is gone.' },
    },
  ],
};

test('each case stands with its claim, result, figures and seconds; what was not run has its reason', async () => {
  await publishFaults(page, full, ['one', 'two', 'three'], 'node x --seed 7');
  const text = await readFile(page, 'utf8');
  expect(text).toContain('**1 passed, 1 failed,\n1 not run.**');
  expect(text).toContain('### one: passed, 1,312 s\n\nNothing is lost.\n\n- cycles: 200\n');
  expect(text).toContain('- acknowledged writes: 14,210\n- median: 3 ms\n');
  expect(text).toContain('### two: not run\n\nIt stands.\n\nNo compiler.\n');
  expect(text).toContain('### three: failed, 5 s\n\nIt holds.\n\nA write is gone.\n\n- lost: 1\n');
  expect(text).toMatch(/- Date: \d{4}-\d\d-\d\d\n- Machine: .+\n- Versions: .*SQLite 3.+\n- Seed: 7\n/);
});

test('a short run, or one of some cases, leaves the page as it is', async () => {
  await publishFaults(page, full, ['one'], 'x');
  const before = await readFile(page, 'utf8');
  await expect(publishFaults(page, { ...full, extent: 'short' }, ['one'], 'x')).rejects.toThrow('short run');
  await expect(publishFaults(page, full, ['one', 'four'], 'x')).rejects.toThrow('were not run: four');
  expect(await readFile(page, 'utf8')).toBe(before);
});

test('names what a run leaves out of the sections that it has a part of', () => {
  const all = [{ name: 'one' }, { name: 'two' }, { name: 'soak', alone: true }, { name: 'pg', shared: true }];
  expect(leftOf([{ name: 'soak', alone: true }], all)).toEqual([]);
  expect(leftOf([{ name: 'one' }], all)).toEqual(['two']);
});

test('a case that was run again takes the place of its first run, at one seed', () => {
  const [one] = full.cases;
  if (!one) throw new Error('no case');
  const again = { ...full, cases: [{ ...one, seconds: 3 }] };
  const merged = mergeReports([full, again]);
  expect(merged.cases.map(({ name, seconds }) => [name, seconds])).toEqual([
    ['one', 3],
    ['two', 0],
    ['three', 5],
  ]);
  expect(mergeReports([full, { ...again, extent: 'short' }]).extent).toBe('short');
  expect(() => mergeReports([full, { ...again, seed: 8 }])).toThrow('several seeds');
});

test('each claim is shown by tests or cases that are there', () => {
  for (const { claim, tests = [], cases: named = [] } of claims) {
    expect(tests.length + named.length, claim).toBeGreaterThan(0);
    for (const [file, title] of tests) {
      const literals = ["'", '"', '`'].map((quote) => quote + title + quote);
      const source = readFileSync(resolve(root, file), 'utf8');
      expect(
        literals.some((literal) => source.includes(literal)),
        `${file}: ${title}`,
      ).toBe(true);
    }
    const known = cases.map(({ name }) => name);
    for (const name of named) expect(known).toContain(name);
  }
  // And no case is run without a claim.
  const all = claims.flatMap(({ cases: named = [] }) => named);
  expect(cases.map(({ name }) => name).filter((name) => !all.includes(name))).toEqual([]);
});

test.each<[string, Page, string, string]>([
  ['trust.md', trustPage, 'What holds', claimSection()],
  ['trust-runs.md', runsPage, 'Tests by promise', titleSection()],
])(
  'docs/%s tells the claims as they are (node faults/trust.ts writes them)',
  async (name, of, heading, text) => {
    await writeSection(page, of, heading, text);
    const section = (whole: string) => new Map<string, string>(sectionsOf(whole)).get(heading);
    expect(section(readFileSync(resolve(root, 'docs', name), 'utf8'))).toBe(
      section(await readFile(page, 'utf8')),
    );
  },
);
