import { expect, test } from 'vitest';
import { expandPath, pathPatterns } from './path-pattern.ts';
import { scan } from './scan.ts';

const { root } = scan('{"a":[{"b":[1,2]},{"c":0},{"b":[3]}],"*":5}');

test.each([
  ['/a/*/b/*', ['/a/0/b/0', '/a/0/b/1', '/a/2/b/0']],
  ['/a/*/c', ['/a/1/c']],
  ['/a/*/d', []],
  ['/a/0/b', ['/a/0/b']],
  ['/not/there', ['/not/there']],
  ['/*', ['/*']],
])('expands %s to %j', (path, pointers) => {
  expect(expandPath(root, path)).toEqual(pointers);
});

test('sorts patterns of pointers by frequency', () => {
  expect(pathPatterns(['/a/0/b/12', '/c', '/a/3/b/1', '/a/1/b/0', '/c', '/x1/2'])).toEqual([
    '/a/*/b/*',
    '/c',
    '/x1/*',
  ]);
});
