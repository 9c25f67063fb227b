import fhirpath from 'fhirpath';
import { expect, onTestFinished, test, vi } from 'vitest';
import { compile, exceededLimit, expressionLimits, faultOf } from './engine.ts';

test.each([
  ["$this.replace('_'", "')' is missing (line 1, column 18)."],
  ['status =', 'The expression is incomplete (line 1, column 9).'],
  ['1 +* 2', "Unexpected '*' (line 1, column 4)."],
  ['1 +\n  * 2', "Unexpected '*' (line 2, column 3)."],
  ['a..b', 'Not a valid expression (line 1, column 4).'],
  ['a\n  and a..b', 'Not a valid expression (line 2, column 10).'],
])('reports the position of the syntax error in %j', (expression, fault) => {
  expect(faultOf(expression)?.text).toBe(fault);
});

test('returns undefined for valid expressions', () => {
  expect(faultOf("iif($this = 'a', 'b', $this) // as it was")).toBeUndefined();
});

test.each([
  ['at its end', `${'('.repeat(90)}${'a or '.repeat(300)}a..b`, 90 + 5 * 300 + 4],
  ['at its start', `a..b${' or a'.repeat(300)}`, 4],
])('locates an internal parser error %s in a few parses', (_, expression, column) => {
  const parse = vi.spyOn(fhirpath, 'parse');
  onTestFinished(() => parse.mockRestore());
  expect(faultOf(expression)?.text).toBe(`Not a valid expression (line 1, column ${column}).`);
  expect(parse.mock.calls.length).toBeGreaterThan(1);
  expect(parse.mock.calls.length).toBeLessThanOrEqual(2 + Math.ceil(Math.log2(expression.length)));
});

const { characters, brackets } = expressionLimits;
const nested = (depth: number, maxParses: string) => '('.repeat(depth) + maxParses + ')'.repeat(depth);

test.each([
  ['more characters', `'${'x'.repeat(characters)}'`, 'An expression can have at most 10,000 characters.'],
  ['more brackets', nested(brackets + 1, 'a'), 'An expression can have at most 100 nested brackets.'],
])('rejects an expression of %s than the limit', (_, expression, fault) => {
  const parse = vi.spyOn(fhirpath, 'parse');
  onTestFinished(() => parse.mockRestore());
  expect(faultOf(expression)?.text).toBe(fault);
  expect(() => compile(expression)).toThrow(fault);
  expect(parse).not.toHaveBeenCalled();
});

test('does not count sequential brackets, or brackets in strings, names and comments', () => {
  const manyBrackets = nested(brackets + 1, '');
  for (const expression of [
    nested(brackets, 'a'),
    `${'(a) or '.repeat(brackets + 1)}a[0]`,
    `'\\'${manyBrackets}' = a`,
    `\`${manyBrackets}\``,
    `a /* ${manyBrackets} */`,
    `a // ${manyBrackets}`,
  ])
    expect(exceededLimit(expression), expression).toBeUndefined();
});
