import { expect, test } from 'vitest';
import { activityReducer, filterOf, initialActivity, type ActivityAction } from './activity-state.ts';

const now = Date.parse('2026-01-01T12:00:00.000Z');
const after = (...actions: ActivityAction[]) => actions.reduce(activityReducer, initialActivity);
const entry = {
  seq: 1,
  time: '2026-01-01T00:00:00.000Z',
  connection: 'Local',
  kind: 'bulk',
  note: 'x',
  counts: {},
} as const;

test('an empty form filters nothing', () => {
  expect(filterOf(initialActivity)).toEqual({});
});

test('each field filters by what it names, and by nothing that is not offered', () => {
  const form = { text: ' a b ', method: 'PUT', status: '4xx', kind: 'write' };
  expect(filterOf(after({ type: 'changed', form, now }))).toEqual({ ...form, text: 'a b' });
  const wrong = { method: 'put', status: '9xx', kind: 'x', period: '-1' };
  expect(filterOf(after({ type: 'changed', form: wrong, now }))).toEqual({});
});

test('a period counts from when it was chosen, whatever is typed later', () => {
  const chosen: ActivityAction = { type: 'changed', form: { period: '60' }, now };
  const typed: ActivityAction = { type: 'changed', form: { text: 'a' }, now: now + 5000 };
  expect(filterOf(after(chosen, typed))).toEqual({ text: 'a', since: '2026-01-01T11:00:00.000Z' });
});

test('a changed filter closes the details, which may no longer be in the list', () => {
  expect(after({ type: 'show', entry }).shown).toBe(entry);
  expect(after({ type: 'show', entry }, { type: 'changed', form: { text: 'a' }, now }).shown).toBeUndefined();
  expect(after({ type: 'show', entry }, { type: 'hide' })).toEqual(initialActivity);
});
