import { expect, test } from 'vitest';
import type { Pair } from '../../../core/fhir/search.ts';
import { dayGroups, withDay } from './days.ts';

const now = new Date(2026, 10, 1, 9, 30);

test('a day begins at local midnight, across the end of a month', () => {
  const updated = dayGroups('CarePlan', now).at(-1);
  const since = (updated?.choices ?? []).map(({ pair }) => pair);
  expect(since.map(([name]) => name)).toEqual(['_lastUpdated', '_lastUpdated', '_lastUpdated']);
  expect(since.map(([, value]) => new Date(value.slice(2)).getTime())).toEqual(
    [0, 1, 7].map((days) => new Date(2026, 10, 1 - days).getTime()),
  );
});

test('another day takes the place of the first, and goes where it is chosen again; other pairs stay', () => {
  const updated = dayGroups('CarePlan', now).at(-1);
  const [today, yesterday] = updated?.choices ?? [];
  if (!updated || !today || !yesterday) throw new Error('There are such choices.');
  const one = withDay([['status', 'active']], updated, today);
  const other = withDay(one, updated, yesterday);
  const status: Pair = ['status', 'active'];
  expect(other).toEqual([status, yesterday.pair]);
  expect(withDay(other, updated, yesterday)).toEqual([status]);
});

test('only what has a period can have ended', () => {
  expect(dayGroups('CarePlan', now).flatMap(({ choices }) => choices.map(({ pair }) => pair))).toContainEqual(
    ['date', 'eb2026-11-01'],
  );
  expect(dayGroups('Composition', now)).toHaveLength(1);
});
