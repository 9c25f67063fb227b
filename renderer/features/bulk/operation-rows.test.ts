import { expect, test } from 'vitest';
import { emptyRow, firstRows, operationsOf, type OperationRow } from './operation-rows.ts';

const row = (path: string, value: string, now = ''): OperationRow => ({ ...emptyRow, path, value, now });

test('converts complete rows to operations', () => {
  const operations = operationsOf([row(' /status ', 'active', 'draft'), row('/n', '1.00')]);
  expect(operations).toEqual([
    { path: '/status', value: '"active"', now: '"draft"' },
    { path: '/n', value: '1.00' },
  ]);
});

test.each([
  ['no path', row('', 'x')],
  ['no pointer', row('status', 'x')],
  ['no value', row('/status', '')],
  ['a broken value', row('/status', '{')],
  ['a broken condition', row('/status', 'x', '[')],
])('treats %s as incomplete', (_, unfinished) => {
  expect(operationsOf([row('/a', 'x'), unfinished])).toBeUndefined();
});

test('uses only the fields of the selected kind', () => {
  const full: OperationRow = { ...row('/status', '{'), expression: ' $this ', fix: 'zone' };
  expect(operationsOf([{ ...full, kind: 'compute' }])).toEqual([
    { kind: 'compute', path: '/status', expression: '$this' },
  ]);
  expect(operationsOf([{ ...full, kind: 'fix', path: '' }])).toEqual([{ kind: 'fix', fix: 'zone' }]);
  const way = { id: 'zone=utc', words: 'Add Z' };
  expect(operationsOf([{ ...full, kind: 'fix', path: '', way }])).toEqual([
    { kind: 'fix', fix: 'zone=utc', words: 'Add Z' },
  ]);
  expect(operationsOf([{ ...emptyRow, kind: 'fix' }])).toBeUndefined();
  expect(operationsOf([{ ...full, kind: 'compute', expression: ' ' }])).toBeUndefined();
});

test('prefills the path and fix of a worklist group, and nothing for a search', () => {
  const quality = { kind: 'quality', filter: { rule: 'none' }, label: 'x', path: '/status' } as const;
  expect(firstRows(quality)).toEqual([{ ...emptyRow, path: '/status' }]);
  const orphan = { ...quality, filter: { rule: 'dom-3' } };
  expect(firstRows(orphan)).toEqual([{ ...emptyRow, path: '/status', fix: 'dom-3' }]);
  const everyRule = { ...quality, filter: {} };
  expect(firstRows(everyRule)).toEqual([{ ...emptyRow, kind: 'fix', fix: 'every' }]);
  expect(firstRows({ kind: 'search', type: 'CarePlan', pairs: [], label: 'x' })).toEqual([emptyRow]);
});
