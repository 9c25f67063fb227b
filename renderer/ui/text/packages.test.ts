import { expect, test } from 'vitest';
import { packageText } from './packages.ts';

const { packages, profiles } = packageText;
const snomed = 'http://snomed.info/sct';

test('names one missing need and counts the rest', () => {
  expect(profiles.undecided(1, [`CodeSystem ${snomed}`])).toBe(
    '1 check skipped: SNOMED CT is not available here.',
  );
  expect(profiles.undecided(3, [`CodeSystem ${snomed}`, 'ValueSet http://a.test'])).toBe(
    '3 checks skipped: SNOMED CT and 1 more are not available here.',
  );
});

test('names three missing canonicals of a profile and counts the rest', () => {
  const otherCanonicals = ['http://a.test', 'http://b.test', 'http://c.test', 'http://d.test'];
  expect(packages.lacks('Ward plan', [snomed])).toBe('Ward plan can’t be fully checked without SNOMED CT');
  expect(packages.lacks('Ward plan', [snomed, ...otherCanonicals])).toBe(
    'Ward plan can’t be fully checked without SNOMED CT, http://a.test, http://b.test, and 2 more',
  );
});
