import fhirpath from 'fhirpath';
import { expect, onTestFinished, test, vi } from 'vitest';
import { compile, exceededLimit, expressionLimits, faultOf } from './engine.ts';

test.each([
  ["$this.replace('_'", "')' is missing at line 1, column 18."],
  ['status =', 'The expression is not complete at line 1, column 9.'],
  ['1 +* 2', "'*' is not expected at line 1, column 4."],
  ['1 +\n  * 2', "'*' is not expected at line 2, column 3."],
  ['a..b', 'The expression cannot be read at line 1, column 4.'],
  ['a\n  and a..b', 'The expression cannot be read at line 2, column 10.'],
])('%j cannot be parsed, and it is said where', (expression, fault) => {
  expect(faultOf(expression)).toBe(fault);
});

test('what can be parsed has no fault', () => {
  expect(faultOf("iif($this = 'a', 'b', $this) // as it was")).toBeUndefined();
});

test('finds where the parser fails without a place in a few parses', () => {
  const parse = vi.spyOn(fhirpath, 'parse');
  onTestFinished(() => parse.mockRestore());
  const expression = `${'('.repeat(90)}${'a or '.repeat(300)}a..b`;
  expect(faultOf(expression)).toBe(`The expression cannot be read at line 1, column ${expression.length}.`);
  expect(parse.mock.calls.length).toBeGreaterThan(1);
  expect(parse.mock.calls.length).toBeLessThanOrEqual(2 + Math.ceil(Math.log2(expression.length)));
});

const { characters, brackets } = expressionLimits;
const nested = (depth: number, within: string) => '('.repeat(depth) + within + ')'.repeat(depth);

test.each([
  ['more characters', `'${'x'.repeat(characters)}'`, 'An expression has at most 10,000 characters.'],
  ['more brackets', nested(brackets + 1, 'a'), 'An expression has at most 100 brackets within one another.'],
])('an expression of %s than are read is not parsed', (_, expression, fault) => {
  const parse = vi.spyOn(fhirpath, 'parse');
  onTestFinished(() => parse.mockRestore());
  expect(faultOf(expression)).toBe(fault);
  expect(() => compile(expression)).toThrow(fault);
  expect(parse).not.toHaveBeenCalled();
});

test('brackets beside one another, in texts, in names and in comments open nothing', () => {
  const many = nested(brackets + 1, '');
  for (const expression of [
    nested(brackets, 'a'),
    `${'(a) or '.repeat(brackets + 1)}a[0]`,
    `'\\'${many}' = a`,
    `\`${many}\``,
    `a /* ${many} */`,
    `a // ${many}`,
  ])
    expect(exceededLimit(expression), expression).toBeUndefined();
});
