import { expect, test } from 'vitest';
import { formatCount, formatList, formatPercent, formatPlural } from './language.ts';
import { defineMessages } from './message.ts';

const messages = defineMessages('record', {
  full: 'The disk is full.',
  absent: 'There is no {type} with this ID.',
  erased: { one: '{n} record of {type} erased.', other: '{n} records of {type} erased.' },
});

test('returns code, parameters and the English text', () => {
  expect(messages.full()).toEqual({ messageCode: 'record.full', text: 'The disk is full.' });
  expect(messages.absent({ type: 'CarePlan' })).toEqual({
    messageCode: 'record.absent',
    parameters: { type: 'CarePlan' },
    text: 'There is no CarePlan with this ID.',
  });
});

test('chooses the plural form of the count', () => {
  expect(messages.erased({ n: 1, type: 'CarePlan' }).text).toBe('1 record of CarePlan erased.');
  expect(messages.erased({ n: 2036, type: 'CarePlan' }).text).toBe('2,036 records of CarePlan erased.');
  expect(formatPlural(0, { one: '{n} issue', other: '{n} issues' })).toBe('0 issues');
  expect(
    formatPlural(3, { one: '{n} of {total} issue', other: '{n} of {total} issues' }, { total: 9000 }),
  ).toBe('3 of 9,000 issues');
});

test('fills a placeholder once, for any value', () => {
  expect(messages.absent({ type: '{type} $& {n}' }).text).toBe('There is no {type} $& {n} with this ID.');
});

test('formats numbers and lists in the language', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567');
  expect(formatPercent(0.91)).toBe('91%');
  expect(formatList(['a', 'b', 'c'])).toBe('a, b, and c');
  expect(formatList(['a', 'b'], 'disjunction')).toBe('a or b');
  expect(formatList(['a', 'b'], 'unit')).toBe('a, b');
});
