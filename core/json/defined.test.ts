import { expect, test } from 'vitest';
import { defined } from './defined.ts';

test('drops undefined members and keeps other empty values', () => {
  const members = { a: undefined, b: null, c: '', d: 0, e: false };
  expect(Object.entries(defined(members))).toEqual([
    ['b', null],
    ['c', ''],
    ['d', 0],
    ['e', false],
  ]);
});
