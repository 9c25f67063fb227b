import { expect, test } from 'vitest';
import { eachOf } from './statements.ts';

test.each([
  ['', []],
  ['0', [0]],
  ['7,0,1234567', [7, 0, 1234567]],
])('the numbers of the list "%s" are visited in turn', (list, numbers) => {
  const visited: number[] = [];
  eachOf(Buffer.from(list), (number) => visited.push(number));
  expect(visited).toEqual(numbers);
});

test('where no list stands nothing is visited', () => {
  eachOf(null, () => expect.unreachable());
});
