import { expect, test } from 'vitest';
import { minimalEdit } from './monaco-text.ts';

test.each([
  ['{"a":1}', '{"a":2}', { start: 5, end: 6, text: '2' }],
  ['aaa', 'aaaa', { start: 3, end: 3, text: 'a' }],
  ['aaaa', 'aa', { start: 2, end: 4, text: '' }],
  ['same', 'same', { start: 4, end: 4, text: '' }],
  ['', 'new', { start: 0, end: 0, text: 'new' }],
])('computes the minimal edit from %s to %s', (before, after, edit) => {
  expect(minimalEdit(before, after)).toEqual(edit);
});
