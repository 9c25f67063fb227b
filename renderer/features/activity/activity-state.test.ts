import { expect, test } from 'vitest';
import { filterOf, noFilter } from './activity-state.ts';

const now = Date.parse('2026-01-01T12:00:00.000Z');

test('returns no filter for an empty form', () => {
  expect(filterOf({ form: noFilter, selectedAt: now })).toEqual({});
});

test('filters by each valid field and ignores invalid values', () => {
  const form = { text: ' a b ', method: 'PUT', status: '4xx', kind: 'write' };
  expect(filterOf({ form: { ...form, period: '60' }, selectedAt: now })).toEqual({
    ...form,
    text: 'a b',
    since: '2026-01-01T11:00:00.000Z',
  });
  const wrong = { text: ' ', method: 'put', status: '9xx', kind: 'x', period: '-1' };
  expect(filterOf({ form: wrong, selectedAt: now })).toEqual({});
});
