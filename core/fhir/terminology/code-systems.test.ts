import { expect, test } from 'vitest';
import { codesOf } from './code-systems.ts';

const system = (concept: readonly object[], more: object = {}) => ({
  ...{ resourceType: 'CodeSystem', url: 'http://x', content: 'complete', concept },
  ...more,
});
const property = (code: string, valueCode?: string) => ({ property: [{ code, valueCode }] });

test('a code is found as its system writes it', () => {
  const concept = [{ code: 'A', display: 'First' }];
  const exact = codesOf(system(concept));
  expect([exact?.find('A'), exact?.find('a'), exact?.display('A')]).toEqual(['A', undefined, 'First']);
  const folded = codesOf(system(concept, { caseSensitive: false }));
  expect([folded?.find('a'), folded?.display('a'), folded?.find('b')]).toEqual(['A', 'First', undefined]);
});

test('what is not all of a code system is none', () => {
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
])('what is below another is told by %s', (_what, concept) => {
  const codes = codesOf(system(concept));
  const below = (code: string, ancestor: string) => codes?.isBelow(code, ancestor);
  expect([below('c', 'a'), below('b', 'a'), below('c', 'b')]).toEqual([true, true, true]);
  expect([below('a', 'c'), below('a', 'a'), below('x', 'a')]).toEqual([false, false, false]);
});

test('codes that are below each other in a circle come to an end', () => {
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
