import { expect, test } from 'vitest';
import { digestOf, isWanted, wordsAt, type Digest } from './digest.ts';

const element = (path: string, members: object = {}) => ({ id: path, path, min: 0, max: '*', ...members });

const profile = {
  resourceType: 'StructureDefinition',
  url: 'https://a.example/plan',
  version: '1',
  type: 'CarePlan',
  title: 'Plan',
  snapshot: {
    element: [
      element('CarePlan'),
      element('CarePlan.status', { min: 1, max: '1' }),
      element('CarePlan.title', { mustSupport: true, short: 'Its name' }),
      element('CarePlan.note'),
      element('CarePlan.goal', { max: '0' }),
      element('CarePlan.category'),
      element('CarePlan.category', { id: 'CarePlan.category:A', sliceName: 'A', min: 1 }),
      element('CarePlan.category.coding', { id: 'CarePlan.category:A.coding', min: 1 }),
      element('CarePlan.activity.detail', { mustSupport: true }),
      'not an element',
    ],
  },
};

const builtDigest = digestOf(profile);
if (!builtDigest) throw new TypeError('The profile has no digest.');
const digest: Digest = builtDigest;

test('lists the elements that a profile requires, forbids, slices or must support', () => {
  expect(digest.elements.map(({ path, slices }) => [path, slices])).toEqual([
    ['CarePlan.status', []],
    ['CarePlan.title', []],
    ['CarePlan.goal', []],
    ['CarePlan.category', ['A']],
    ['CarePlan.activity.detail', []],
  ]);
  expect(digestOf({ ...profile, snapshot: undefined })).toBeUndefined();
});

test('finds an element by its path, and a list item by its list', () => {
  expect(wordsAt([digest], 'CarePlan', ['category', '0'])).toMatchObject([
    { profile: 'Plan', slices: ['A'] },
  ]);
  expect(isWanted(wordsAt([digest], 'CarePlan', ['activity', '3', 'detail']))).toBe(true);
  expect(isWanted(wordsAt([digest], 'CarePlan', ['category']))).toBe(false);
  expect(wordsAt([digest], 'CarePlan', ['note'])).toEqual([]);
  expect(wordsAt([digest], 'Composition', ['title'])).toEqual([]);
});
