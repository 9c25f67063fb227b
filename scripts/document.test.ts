import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { performancePage, runsPage, sectionsOf, trustPage, withSection } from './document.ts';

test('a section takes the place of the one before it and leaves the others, in their order', () => {
  const page = withSection('', performancePage, 'The page', 'Old times.');
  const both = withSection(page, performancePage, 'The API', 'Rates.\n');
  expect(both).toBe('# Performance\n\n## The API\n\nRates.\n\n## The page\n\nOld times.\n');
  expect(withSection(both, performancePage, 'The page', 'New times.')).toBe(both.replace('Old', 'New'));
});

test('what stands above the sections is the page’s own', () => {
  const page = withSection('Anything.\n', { title: 'A', lead: 'Lead.', headings: ['One'] }, 'One', 'Text.');
  expect(page).toBe('# A\n\nLead.\n\n## One\n\nText.\n');
});

test.each([
  ['performance', performancePage],
  ['trust', trustPage],
  ['trust-runs', runsPage],
])('docs/%s.md holds sections that its runs write, and no others', async (name, page) => {
  const text = await readFile(new URL(`../docs/${name}.md`, import.meta.url), 'utf8');
  const sections = sectionsOf(text);
  expect(sections.length).toBeGreaterThan(0);
  const written = sections.reduce(
    (before, [heading, section]) => withSection(before, page, heading as never, section),
    '',
  );
  expect(written).toBe(text);
});
