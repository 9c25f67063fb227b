import { expect, test } from 'vitest';
import { defined } from './defined.ts';

test('members that are undefined are left out, whatever else is empty stays', () => {
  const members = { a: undefined, b: null, c: '', d: 0, e: false };
  expect(Object.entries(defined(members))).toEqual([
    ['b', null],
    ['c', ''],
    ['d', 0],
    ['e', false],
  ]);
});
