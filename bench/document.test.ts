import { expect, test } from 'vitest';
import { withSection } from './document.ts';

test('a section takes the place of the one before it and leaves the others, in their order', () => {
  const page = withSection('', 'The page', 'Old times.');
  const both = withSection(page, 'The API', 'Rates.\n');
  expect(both).toBe('# Performance\n\n## The API\n\nRates.\n\n## The page\n\nOld times.\n');
  expect(withSection(both, 'The page', 'New times.')).toBe(both.replace('Old', 'New'));
});
