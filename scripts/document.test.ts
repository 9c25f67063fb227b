import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { performancePage, runsPage, parsePageSections, trustPage, setSection } from './document.ts';

test('replaces a section and leaves the other sections in order', () => {
  const page = setSection('', performancePage, 'The page', 'Old times.');
  const fullPage = setSection(page, performancePage, 'The API', 'Rates.\n');
  expect(fullPage).toBe('# Performance\n\n## The API\n\nRates.\n\n## The page\n\nOld times.\n');
  expect(setSection(fullPage, performancePage, 'The page', 'New times.')).toBe(
    fullPage.replace('Old', 'New'),
  );
});

test('replaces the text above the sections by that of the page', () => {
  const page = setSection('Anything.\n', { title: 'A', lead: 'Lead.', headings: ['One'] }, 'One', 'Text.');
  expect(page).toBe('# A\n\nLead.\n\n## One\n\nText.\n');
});

test.each([
  ['performance', performancePage],
  ['trust', trustPage],
  ['trust-runs', runsPage],
])('has only sections of its runs in docs/%s.md', async (name, page) => {
  const text = await readFile(new URL(`../docs/${name}.md`, import.meta.url), 'utf8');
  const sections = parsePageSections(text);
  expect(sections.length).toBeGreaterThan(0);
  const rewritten = sections.reduce(
    (before, [heading, section]) => setSection(before, page, heading as never, section),
    '',
  );
  expect(rewritten).toBe(text);
});
