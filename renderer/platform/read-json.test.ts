import { expect, test } from 'vitest';
import { inspect, parseJson, parseTyped } from './read-json.ts';

test('broken JSON says where, and so does a name that stands twice', () => {
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
])('%s is read as a value', (typed, parsed) => {
  expect(parseTyped(typed)).toMatchObject(parsed);
});

test.each(['{"a":', '[1,', '"open', '{"a":1,"a":2}'])('%s is broken, not a string', (typed) => {
  expect(parseTyped(typed).kind).toBe('broken');
});

test('plain text is no string where JSON is asked for', () => {
  expect(parseJson('abc').kind).toBe('broken');
});
