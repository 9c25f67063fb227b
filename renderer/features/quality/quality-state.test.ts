import { expect, test } from 'vitest';
import type { QualityFinding } from '../../../core/app/quality.ts';
import { filterOf, indexOf, initialQuality, keyOf, neighbour, qualityReducer } from './quality-state.ts';

const finding = (id: string): QualityFinding => ({
  ...{ type: 'CarePlan', id, version: 1, title: id, subject: '', status: '', lastUpdated: '' },
  ...{ rule: 'r', severity: 'error', category: 'conformance', message: 'm', pointer: '/status', excerpt: '' },
});
const list = ['a', 'b', 'c'].map(finding);
const at = (index: number) =>
  qualityReducer(initialQuality, { type: 'moved', index, key: keyOf(finding(list[index]?.id ?? '')) });

test('a rule narrows what the filter asks; all takes it away', () => {
  const filtered = qualityReducer(initialQuality, { type: 'filtered', filter: { severity: 'error' } });
  const chosen = qualityReducer(filtered, { type: 'chosen', group: { rule: 'ext-1', text: 'Either, or' } });
  expect(filterOf(chosen)).toEqual({ severity: 'error', rule: 'ext-1' });
  expect(filterOf(qualityReducer(chosen, { type: 'chosen', group: undefined }))).toEqual({
    severity: 'error',
  });
});

test('another rule or filter begins at the first finding', () => {
  expect(qualityReducer(at(2), { type: 'chosen', group: { rule: 'x', text: '' } }).current).toEqual({
    index: 0,
  });
  expect(qualityReducer(at(2), { type: 'filtered', filter: {} }).current).toEqual({ index: 0 });
});

test('the finding in hand is followed when others leave the list', () => {
  expect(indexOf(at(2), [finding('b'), finding('c')])).toBe(1);
  expect(neighbour(at(1), [finding('b'), finding('c')], 1)).toBe(1);
});

test('after a mended finding comes the one that took its place', () => {
  const mended = [finding('a'), finding('c')];
  expect(neighbour(at(1), mended, 1)).toBe(1);
  expect(neighbour(at(1), mended, -1)).toBe(0);
  expect(neighbour(at(2), [finding('a'), finding('b')], 1)).toBeUndefined();
});

test('the ends of the list have no neighbour beyond', () => {
  expect(neighbour(at(2), list, 1)).toBeUndefined();
  expect(neighbour(at(0), list, -1)).toBeUndefined();
  expect(neighbour(initialQuality, list, 1)).toBe(0);
});
