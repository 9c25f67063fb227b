import { expect, test } from 'vitest';
import { faultOf } from './engine.ts';

test.each([
  ["$this.replace('_'", "')' is missing at line 1, column 18."],
  ['status =', 'The expression is not complete at line 1, column 9.'],
  ['1 +* 2', "'*' is not expected at line 1, column 4."],
  ['1 +\n  * 2', "'*' is not expected at line 2, column 3."],
  ['a..b', 'The expression cannot be read at line 1, column 4.'],
])('%j cannot be parsed, and it is said where', (expression, fault) => {
  expect(faultOf(expression)).toBe(fault);
});

test('what can be parsed has no fault', () => {
  expect(faultOf("iif($this = 'a', 'b', $this) // as it was")).toBeUndefined();
});
