import { expect, test } from 'vitest';
import { operationsOf, readValue, rowsOf } from './operation-rows.ts';

const row = (path: string, value: string, now = '') => ({ key: 0, path, value, now });

test.each([
  ['active', { kind: 'text', source: '"active"' }],
  [' 1.00 ', { kind: 'json', source: '1.00' }],
  ['"1"', { kind: 'json', source: '"1"' }],
  ['', { kind: 'empty' }],
])('%j is read as a value', (typed, read) => {
  expect(readValue(typed)).toEqual(read);
});

test.each(['{"a":', '"open', '[1,'])('%j is broken', (typed) => {
  expect(readValue(typed).kind).toBe('broken');
});

test('finished rows are operations, and back', () => {
  const operations = operationsOf([row(' /status ', 'active', 'draft'), row('/n', '1.00')]);
  expect(operations).toEqual([
    { path: '/status', value: '"active"', now: '"draft"' },
    { path: '/n', value: '1.00' },
  ]);
  expect(operationsOf(rowsOf(operations ?? []))).toEqual(operations);
});

test.each([
  ['no path', row('', 'x')],
  ['no pointer', row('status', 'x')],
  ['no value', row('/status', '')],
  ['a broken value', row('/status', '{')],
  ['a broken condition', row('/status', 'x', '[')],
])('%s is not finished', (_, unfinished) => {
  expect(operationsOf([row('/a', 'x'), unfinished])).toBeUndefined();
});
