import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineChanges, type LineChange } from './line-changes.ts';

const lines = (text: string) => text.split('').join('\n');
const changes = (before: string, after: string) => lineChanges(lines(before), lines(after));

test.each<[string, string, LineChange[]]>([
  ['abc', 'abc', []],
  ['abc', 'aXc', [{ kind: 'changed', line: 2, count: 1 }]],
  ['abc', 'abXYc', [{ kind: 'added', line: 3, count: 2 }]],
  ['abcd', 'ad', [{ kind: 'removed', line: 2, count: 0 }]],
  ['ab', 'abc', [{ kind: 'added', line: 3, count: 1 }]],
  ['abc', 'ab', [{ kind: 'removed', line: 3, count: 0 }]],
  ['aa', 'a', [{ kind: 'removed', line: 2, count: 0 }]],
  [
    'abcdef',
    'aXcdeYf',
    [
      { kind: 'changed', line: 2, count: 1 },
      { kind: 'added', line: 6, count: 1 },
    ],
  ],
])('compares %s with %s', (before, after, expected) => {
  expect(changes(before, after)).toEqual(expected);
});

test('finds equal lines outside the changes, in order', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const changes = lineChanges(before.join('\n'), after.join('\n'));
      const touched = new Set(
        changes.flatMap(({ line, count }) => Array.from({ length: count }, (_, index) => line + index)),
      );
      const equalLines = after.filter((_, index) => !touched.has(index + 1));
      let from = 0;
      for (const line of equalLines) {
        from = before.indexOf(line, from) + 1;
        expect(from).toBeGreaterThan(0);
      }
    }),
  );
});

test('reports one change in time for texts with little in common', () => {
  const manyLines = (seed: string) =>
    Array.from({ length: 5000 }, (_, index) => `${seed}${index}`).join('\n');
  expect(lineChanges(`x\n${manyLines('a')}\ny`, `x\n${manyLines('b')}\ny`)).toEqual([
    { kind: 'changed', line: 2, count: 5000 },
  ]);
});
