import { expect, test } from 'vitest';
import type { QualityFinding } from '../../../core/app/quality.ts';
import { filterOf, indexOf, initialQuality, keyOf, neighbour, qualityReducer } from './quality-state.ts';

const finding = (id: string): QualityFinding => ({
  type: 'CarePlan',
  id,
  version: 1,
  title: id,
  subject: '',
  status: '',
  lastUpdated: '',
  rule: 'r',
  severity: 'error',
  category: 'conformance',
  message: 'm',
  pointer: '/status',
  excerpt: '',
});
const list = ['a', 'b', 'c'].map(finding);
const moveTo = (index: number) =>
  qualityReducer(initialQuality, { type: 'moved', index, key: keyOf(finding(list[index]?.id ?? '')) });

test('adds a selected rule to the filter and removes it again', () => {
  const filtered = qualityReducer(initialQuality, { type: 'filtered', filter: { severity: 'error' } });
  const ruleState = qualityReducer(filtered, {
    type: 'chosen',
    group: { rule: 'ext-1', text: 'Either, or' },
  });
  expect(filterOf(ruleState)).toEqual({ severity: 'error', rule: 'ext-1' });
  expect(filterOf(qualityReducer(ruleState, { type: 'chosen', group: undefined }))).toEqual({
    severity: 'error',
  });
});

test('starts at the first finding of another rule or filter', () => {
  expect(qualityReducer(moveTo(2), { type: 'chosen', group: { rule: 'x', text: '' } }).current).toEqual({
    index: 0,
  });
  expect(qualityReducer(moveTo(2), { type: 'filtered', filter: {} }).current).toEqual({ index: 0 });
});

test('follows the current finding when other findings disappear', () => {
  expect(indexOf(moveTo(2), [finding('b'), finding('c')])).toBe(1);
  expect(neighbour(moveTo(1), [finding('b'), finding('c')], 1)).toBe(1);
});

test('continues with the next finding after a fix', () => {
  const remainingFindings = [finding('a'), finding('c')];
  expect(neighbour(moveTo(1), remainingFindings, 1)).toBe(1);
  expect(neighbour(moveTo(1), remainingFindings, -1)).toBe(0);
  expect(neighbour(moveTo(2), [finding('a'), finding('b')], 1)).toBeUndefined();
});

test('has no neighbor beyond the ends of the list', () => {
  expect(neighbour(moveTo(2), list, 1)).toBeUndefined();
  expect(neighbour(moveTo(0), list, -1)).toBeUndefined();
  expect(neighbour(initialQuality, list, 1)).toBe(0);
});
