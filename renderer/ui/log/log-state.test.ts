import { expect, test } from 'vitest';
import { logReducer, type LogAct, type LogState } from './log-state.ts';

const noFilter = { text: '', period: '' };
type Form = typeof noFilter;
const empty: LogState<Form, string> = { form: noFilter, chosenAt: 0 };
const after = (...acts: LogAct<Form, string>[]) => acts.reduce(logReducer, empty);

test('a period counts from when it was chosen, whatever is typed later', () => {
  const chosen = { type: 'changed', form: { period: '60' }, now: 1000 } as const;
  const typed = { type: 'changed', form: { text: 'a' }, now: 6000 } as const;
  expect(after(chosen, typed)).toEqual({ form: { text: 'a', period: '60' }, chosenAt: 1000 });
  expect(after(chosen, typed, { type: 'reset', form: noFilter })).toEqual(empty);
});

test('a changed filter closes the details, which may no longer be in the list', () => {
  const show = { type: 'show', entry: 'x' } as const;
  expect(after(show).shown).toBe('x');
  expect(after(show, { type: 'changed', form: { text: 'a' }, now: 0 }).shown).toBeUndefined();
});

test('hidden details leave the filter', () => {
  const chosen = { type: 'changed', form: { period: '60' }, now: 1000 } as const;
  expect(after(chosen, { type: 'show', entry: 'x' }, { type: 'hide' })).toEqual(after(chosen));
});
