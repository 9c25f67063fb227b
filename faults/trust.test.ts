import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cases } from './cases.ts';
import type { FaultReport } from './report.ts';
import { root } from '../scripts/bundles.ts';
import { runsPage, parsePageSections, trustPage, writeSection, type Page } from '../scripts/document.ts';
import { claims } from './claims.ts';
import { listOmitted, mergeReports, publishFaults } from './publish.ts';
import { formatClaims, formatTitles } from './trust.ts';

let folder: string;
let page: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-trust-'));
  page = join(folder, 'trust.md');
});
afterEach(() => rm(folder, { recursive: true }));

const fullReport: FaultReport = {
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

test('writes claim, result, figures and seconds of each case, or the reason why it was not run', async () => {
  await publishFaults(page, fullReport, ['one', 'two', 'three'], 'node x --seed 7');
  const text = await readFile(page, 'utf8');
  expect(text).toContain('**1 passed, 1 failed,\n1 not run.**');
  expect(text).toContain('### one: passed, 1,312 s\n\nNothing is lost.\n\n- cycles: 200\n');
  expect(text).toContain('- acknowledged writes: 14,210\n- median: 3 ms\n');
  expect(text).toContain('### two: not run\n\nIt stands.\n\nNo compiler.\n');
  expect(text).toContain('### three: failed, 5 s\n\nIt holds.\n\nA write is gone.\n\n- lost: 1\n');
  expect(text).toMatch(/- Date: \d{4}-\d\d-\d\d\n- Machine: .+\n- Versions: .*SQLite 3.+\n- Seed: 7\n/);
});

test('leaves the page unchanged after a short or partial run', async () => {
  await publishFaults(page, fullReport, ['one'], 'x');
  const textBefore = await readFile(page, 'utf8');
  await expect(publishFaults(page, { ...fullReport, extent: 'short' }, ['one'], 'x')).rejects.toThrow(
    'short run',
  );
  await expect(publishFaults(page, fullReport, ['one', 'four'], 'x')).rejects.toThrow('were not run: four');
  expect(await readFile(page, 'utf8')).toBe(textBefore);
});

test('lists the cases that a run omits from its sections', () => {
  const allCases = [
    { name: 'one' },
    { name: 'two' },
    { name: 'soak', ownSection: true },
    { name: 'pg', shared: true },
  ];
  expect(listOmitted([{ name: 'soak', ownSection: true }], allCases)).toEqual([]);
  expect(listOmitted([{ name: 'one' }], allCases)).toEqual(['two']);
});

test('replaces a case by its second run, at the same seed', () => {
  const [firstCase] = fullReport.cases;
  if (!firstCase) throw new Error('no case');
  const secondReport = { ...fullReport, cases: [{ ...firstCase, seconds: 3 }] };
  const mergedReport = mergeReports([fullReport, secondReport]);
  expect(mergedReport.cases.map(({ name, seconds }) => [name, seconds])).toEqual([
    ['one', 3],
    ['two', 0],
    ['three', 5],
  ]);
  expect(mergeReports([fullReport, { ...secondReport, extent: 'short' }]).extent).toBe('short');
  expect(() => mergeReports([fullReport, { ...secondReport, seed: 8 }])).toThrow('several seeds');
});

test('finds the tests and cases of each claim', () => {
  for (const { claim, tests = [], cases: caseNames = [] } of claims) {
    expect(tests.length + caseNames.length, claim).toBeGreaterThan(0);
    for (const [file, title] of tests) {
      const literals = ["'", '"', '`'].map((quote) => quote + title + quote);
      const source = readFileSync(resolve(root, file), 'utf8');
      expect(
        literals.some((literal) => source.includes(literal)),
        `${file}: ${title}`,
      ).toBe(true);
    }
    const knownNames = cases.map(({ name }) => name);
    for (const name of caseNames) expect(knownNames).toContain(name);
  }
  // No case is without a claim.
  const claimedNames = claims.flatMap(({ cases: caseNames = [] }) => caseNames);
  expect(cases.map(({ name }) => name).filter((name) => !claimedNames.includes(name))).toEqual([]);
});

test.each<[string, Page, string, string]>([
  ['trust.md', trustPage, 'Guarantees', formatClaims()],
  ['trust-runs.md', runsPage, 'Tests by guarantee', formatTitles()],
])(
  'docs/%s matches the claims (written by node faults/trust.ts)',
  async (name, sectionPage, heading, text) => {
    await writeSection(page, sectionPage, heading, text);
    const section = (pageText: string) => new Map<string, string>(parsePageSections(pageText)).get(heading);
    expect(section(readFileSync(resolve(root, 'docs', name), 'utf8'))).toBe(
      section(await readFile(page, 'utf8')),
    );
  },
);
