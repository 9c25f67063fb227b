import { expect, test } from 'vitest';
import { filterOf, noFilter } from './activity-state.ts';

const chosenAt = Date.parse('2026-01-01T12:00:00.000Z');

test('an empty form filters nothing', () => {
  expect(filterOf({ form: noFilter, chosenAt })).toEqual({});
});

test('each field filters by what it names, and by nothing that is not offered', () => {
  const form = { text: ' a b ', method: 'PUT', status: '4xx', kind: 'write' };
  expect(filterOf({ form: { ...form, period: '60' }, chosenAt })).toEqual({
    ...form,
    text: 'a b',
    since: '2026-01-01T11:00:00.000Z',
  });
  const wrong = { text: ' ', method: 'put', status: '9xx', kind: 'x', period: '-1' };
  expect(filterOf({ form: wrong, chosenAt })).toEqual({});
});
