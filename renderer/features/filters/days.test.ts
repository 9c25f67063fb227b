import { expect, test } from 'vitest';
import type { Pair } from '../../../core/fhir/search.ts';
import { dayGroups, withDay } from './days.ts';

const now = new Date(2026, 10, 1, 9, 30);

test('starts a day at local midnight, across the end of a month', () => {
  const updated = dayGroups('CarePlan', now).at(-1);
  const since = (updated?.choices ?? []).map(({ pair }) => pair);
  expect(since.map(([name]) => name)).toEqual(['_lastUpdated', '_lastUpdated', '_lastUpdated']);
  expect(since.map(([, value]) => new Date(value.slice(2)).getTime())).toEqual(
    [0, 1, 7].map((days) => new Date(2026, 10, 1 - days).getTime()),
  );
});

test('replaces a day by another, removes it on a second click and keeps other pairs', () => {
  const updated = dayGroups('CarePlan', now).at(-1);
  const [today, yesterday] = updated?.choices ?? [];
  if (!updated || !today || !yesterday) throw new Error('There are such choices.');
  const todaySearch = withDay([['status', 'active']], updated, today);
  const yesterdaySearch = withDay(todaySearch, updated, yesterday);
  const status: Pair = ['status', 'active'];
  expect(yesterdaySearch).toEqual([status, yesterday.pair]);
  expect(withDay(yesterdaySearch, updated, yesterday)).toEqual([status]);
});

test('offers ended records only for types with a period', () => {
  expect(dayGroups('CarePlan', now).flatMap(({ choices }) => choices.map(({ pair }) => pair))).toContainEqual(
    ['date', 'eb2026-11-01'],
  );
  expect(dayGroups('Composition', now)).toHaveLength(1);
});
