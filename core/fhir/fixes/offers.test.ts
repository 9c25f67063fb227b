import { expect, test } from 'vitest';
import { scan } from '../../json/scan.ts';
import { isSingleOption, wordsOfFix } from './fixes.ts';
import { applyAllFixes, isFixable, suggestFixes, listFixOptions } from './offers.ts';

const settings = { today: '2026-11-24' };
const plan = (parts: object) => ({
  resourceType: 'CarePlan',
  status: 'active',
  intent: 'plan',
  subject: { display: 'x' },
  ...parts,
});
const textOf = (parts: object) => JSON.stringify(plan(parts));
const optionsFor = (rule: string, ...records: readonly unknown[]) =>
  listFixOptions(
    records.map((record) => ({ root: scan(JSON.stringify(record)).root, type: 'CarePlan' })),
    rule,
    settings,
  );

test('counts the fix options of a rule in records, the most effective first', () => {
  const records = [
    plan({ created: '2026-03-12T09:30', period: { start: '2026-03-12T10:00' } }),
    plan({
      activity: [{ detail: { status: 'unknown', scheduledTiming: { event: ['2026-03-12T09:30Z'] } } }],
    }),
    plan({ created: '2026-03-12T09:30Z' }),
    plan({ created: '2026-03-12T09:30Z' }),
    plan({ titel: 'other rules do not count' }),
    'no record',
  ];
  expect(optionsFor('date-time-zone', ...records)).toEqual([
    expect.objectContaining({ id: 'date-time-zone=seconds', findings: 3 }),
    { id: 'date-time-zone=utc', words: 'Add Z (the time is UTC)', findings: 2 },
    expect.objectContaining({ id: 'date-time-zone=day', findings: 2 }),
  ]);
});

test('counts no option for a rule with a single option', () => {
  expect(optionsFor('language-tag', plan({ language: 'en_GB' }))).toEqual([]);
  expect(isSingleOption('language-tag')).toBe(false);
  expect(isSingleOption('schema-code=active')).toBe(true);
});

test('suggests fixes for findings of a text, with the changed text', () => {
  const findings = [
    { rule: 'language-tag', pointer: '/language' },
    { rule: 'nobody’s', pointer: '/status' },
  ];
  const text = textOf({ language: 'en_GB' });
  expect(suggestFixes(text, 'CarePlan', findings, settings)).toMatchObject([
    { rule: 'language-tag', pointer: '/language', id: 'language-tag', count: 1 },
  ]);
  const [offer] = suggestFixes(text, 'CarePlan', findings, settings);
  expect(JSON.parse(offer?.fixedText ?? '')).toEqual(plan({ language: 'en-GB' }));
  expect(offer?.fixedText).toContain('\n');
});

test.each(['', '[]', '{"a":', '7'])('suggests nothing and applies nothing in %j', (text) => {
  expect(suggestFixes(text, 'CarePlan', [{ rule: 'empty', pointer: '' }], settings)).toEqual([]);
  expect(applyAllFixes(text, 'CarePlan', 'empty', settings)).toBeUndefined();
});

test('applies a fix to every finding in a text, and returns their number', () => {
  const result = applyAllFixes(
    textOf({ created: '2026-03-12T09:30', language: 'x y' }),
    'CarePlan',
    'date-time-zone',
    settings,
  );
  expect(result?.fixedCount).toBe(1);
  expect(JSON.parse(result?.text ?? '')).toEqual(plan({ created: '2026-03-12T09:30:00Z', language: 'x y' }));
  expect(applyAllFixes(textOf({}), 'CarePlan', 'date-time-zone', settings)).toBeUndefined();
});

test.each([
  ['empty', true, 'Remove empty elements'],
  ['tim-6', true, 'Rename periodMax to period'],
  ['tim-4', true, 'Remove the minus sign from duration'],
  ['calendar-date', false, undefined],
  ['unknown', false, undefined],
  ['every', false, 'All safe fixes'],
  ['remove', false, 'Remove elements with errors (their content is lost)'],
])('reports whether findings of %s are fixable: %s', (rule, isExpected, words) => {
  expect(isFixable(rule)).toBe(isExpected);
  expect(wordsOfFix(rule)).toBe(words);
});
