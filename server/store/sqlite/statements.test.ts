import { expect, test } from 'vitest';
import { visitListNumbers } from './statements.ts';

test.each([
  ['', []],
  ['0', [0]],
  ['7,0,1234567', [7, 0, 1234567]],
])('visits the numbers of the list "%s" in order', (list, numbers) => {
  const visited: number[] = [];
  visitListNumbers(Buffer.from(list), (number) => visited.push(number));
  expect(visited).toEqual(numbers);
});

test('visits nothing without a list', () => {
  visitListNumbers(null, () => expect.unreachable());
});
