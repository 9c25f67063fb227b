import { expect, test } from 'vitest';
import { scan } from '../../../core/json/scan.ts';
import { compose, currentValue, parseValue, pathsOf, suggestPaths } from './patch-rows.ts';

const record = '{"resourceType":"CarePlan","id":"a","status":"draft","note":[{"text":"x"}],"n":1.50}';
const row = (path: string, value: string, key = 0) => ({ key, path, value });

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
  expect(parseValue(typed)).toEqual(parsed);
});

test.each(['{"a":', '[1,', '"open', '{"a":1,"a":2}'])('%s is broken, not a string', (typed) => {
  expect(parseValue(typed).kind).toBe('broken');
});

test('language may be replaced where the record has none', () => {
  const composed = compose([row('/language', 'en-GB')], 'CarePlan', record);
  expect(composed).toMatchObject({ ready: true, changes: [{ pointer: '/language', after: '"en-GB"' }] });
  expect(JSON.parse(composed.body ?? '')).toEqual([{ op: 'replace', path: '/language', value: 'en-GB' }]);
});

test('digits of a typed number reach the body as they were written', () => {
  expect(compose([row('/n', '1.00')], 'CarePlan', record).body).toContain('"value": 1.00');
});

test('a path that the record does not hold, or that the server owns, is refused before sending', () => {
  expect(compose([row('/title', 'x')], 'CarePlan', record)).toMatchObject({ ready: false, reason: 'broken' });
  expect(compose([row('/id', 'x')], 'CarePlan', record)).toMatchObject({ ready: false, reason: 'broken' });
});

test('an unfinished row is incomplete, and nothing is ready', () => {
  expect(compose([row('', '')], 'CarePlan', record)).toMatchObject({ ready: false, reason: 'incomplete' });
  expect(compose([row('/status', 'active'), row('/n', '', 1)], 'CarePlan', record).ready).toBe(false);
});

test('the current value at a path is shown as written', () => {
  const { root } = scan(record);
  expect(currentValue(root, '/n')).toBe('1.50');
  expect(currentValue(root, '/note/0')).toBe('{"text":"x"}');
  expect(currentValue(root, '/title')).toBeUndefined();
});

test('suggestions come from the record, without what the server owns, best first', () => {
  const paths = pathsOf(scan(record).root);
  expect(paths).toEqual(['/language', '/status', '/note', '/note/0', '/note/0/text', '/n']);
  expect(suggestPaths(paths, '/n')).toEqual(['/note', '/note/0', '/note/0/text', '/n']);
  expect(suggestPaths(paths, 'text')).toEqual(['/note/0/text']);
});
