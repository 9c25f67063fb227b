import { expect, test } from 'vitest';
import { codeIn, linkWith } from './sign-in.ts';

test.each([
  ['a_B-9', 'a_B-9'],
  [' a_B-9\n', 'a_B-9'],
  [linkWith('http://127.0.0.1:4180', 'a_B-9'), 'a_B-9'],
  [`  ${linkWith('https://x.example/app', 'a_B-9')} `, 'a_B-9'],
  ['', ''],
])('reads from the pasted %j the code %j', (pasted, code) => {
  expect(codeIn(pasted)).toBe(code);
});
