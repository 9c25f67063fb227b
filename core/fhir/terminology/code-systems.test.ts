import { expect, test } from 'vitest';
import { codesOf } from './membership.ts';

const system = (concept: readonly object[], members: object = {}) => ({
  resourceType: 'CodeSystem',
  url: 'http://x',
  content: 'complete',
  concept,
  ...members,
});
const property = (code: string, valueCode?: string) => ({ property: [{ code, valueCode }] });

test('finds a code by the case rules of its system', () => {
  const concept = [{ code: 'A', display: 'First' }];
  const exact = codesOf(system(concept));
  expect([exact?.find('A'), exact?.find('a'), exact?.display('A')]).toEqual(['A', undefined, 'First']);
  const folded = codesOf(system(concept, { caseSensitive: false }));
  expect([folded?.find('a'), folded?.display('a'), folded?.find('b')]).toEqual(['A', 'First', undefined]);
});

test('returns nothing for an incomplete code system', () => {
  expect(codesOf(system([], { content: 'fragment' }))).toBeUndefined();
  expect(codesOf(undefined)).toBeUndefined();
  expect(codesOf(system([]))).toBeDefined();
});

test.each([
  ['nesting', [{ code: 'a', concept: [{ code: 'b', concept: [{ code: 'c' }] }] }]],
  [
    'parents',
    [{ code: 'a' }, { code: 'b', ...property('parent', 'a') }, { code: 'c', ...property('subsumedBy', 'b') }],
  ],
  [
    'children',
    [{ code: 'a', ...property('child', 'b') }, { code: 'b', ...property('child', 'c') }, { code: 'c' }],
  ],
])('reads the hierarchy from %s', (_description, concept) => {
  const codes = codesOf(system(concept));
  const isBelow = (code: string, ancestor: string) => codes?.isBelow(code, ancestor);
  expect([isBelow('c', 'a'), isBelow('b', 'a'), isBelow('c', 'b')]).toEqual([true, true, true]);
  expect([isBelow('a', 'c'), isBelow('a', 'a'), isBelow('x', 'a')]).toEqual([false, false, false]);
});

test('ends at a circle in the hierarchy', () => {
  const codes = codesOf(
    system([
      { code: 'a', ...property('parent', 'b') },
      { code: 'b', ...property('parent', 'a') },
      { code: 'c', ...property('parent') },
      { code: 'd', ...property('other', 'a') },
    ]),
  );
  expect([codes?.isBelow('a', 'x'), codes?.isBelow('a', 'a')]).toEqual([false, true]);
  expect([codes?.isBelow('c', 'a'), codes?.isBelow('d', 'a')]).toEqual([false, false]);
});
