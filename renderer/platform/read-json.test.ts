import { expect, test } from 'vitest';
import { inspect, parseJson, parseTyped } from './read-json.ts';

test('reports the position of a syntax error or duplicate name', () => {
  expect(inspect('{\n  "a": 1,\n}')).toMatchObject({ valid: false, fault: { line: 3, column: 1 } });
  expect(inspect('{"a":1,\n "a":2}')).toMatchObject({ valid: false, fault: { line: 2, column: 2 } });
  expect(inspect('{"a":1.00}')).toMatchObject({ valid: true });
});

test.each([
  ['en-GB', { kind: 'text', source: '"en-GB"' }],
  ['"en-GB"', { kind: 'json', source: '"en-GB"' }],
  [' 1.00 ', { kind: 'json', source: '1.00' }],
  ['true', { kind: 'json', source: 'true' }],
  ['{"a": 1.0}', { kind: 'json', source: '{"a":1.0}' }],
  ['2024-01-01', { kind: 'text', source: '"2024-01-01"' }],
  ['say "hi"', { kind: 'text', source: '"say \\"hi\\""' }],
  ['  ', { kind: 'empty' }],
])('parses %s as a value', (input, parsed) => {
  expect(parseTyped(input)).toMatchObject(parsed);
});

test.each(['{"a":', '[1,', '"open', '{"a":1,"a":2}'])('reports %s as broken', (input) => {
  expect(parseTyped(input).kind).toBe('broken');
});

test('rejects plain text as JSON', () => {
  expect(parseJson('abc').kind).toBe('broken');
});
