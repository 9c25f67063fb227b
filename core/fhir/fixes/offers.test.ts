import { expect, test } from 'vitest';
import { scan } from '../../json/scan.ts';
import { isOneWay, wordsOfFix } from './fixes.ts';
import { allMended, isMendable, offersIn, waysIn } from './offers.ts';

const settings = { today: '2026-11-24' };
const plan = (parts: object) => ({
  ...{ resourceType: 'CarePlan', status: 'active', intent: 'plan', subject: { display: 'x' } },
  ...parts,
});
const textOf = (parts: object) => JSON.stringify(plan(parts));
const waysFor = (rule: string, ...records: readonly unknown[]) =>
  waysIn(
    records.map((one) => ({ root: scan(JSON.stringify(one)).root, type: 'CarePlan' })),
    rule,
    settings,
  );

test('the ways to mend a rule in records are counted, those first that mend most', () => {
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
  expect(waysFor('date-time-zone', ...records)).toEqual([
    expect.objectContaining({ id: 'date-time-zone=seconds', findings: 3 }),
    { id: 'date-time-zone=utc', words: 'Add Z: the time is in UTC', findings: 2 },
    expect.objectContaining({ id: 'date-time-zone=day', findings: 2 }),
  ]);
});

test('what is the only way of its rule is counted under no id of its own', () => {
  expect(waysFor('language-tag', plan({ language: 'en_GB' }))).toEqual([]);
  expect(isOneWay('language-tag')).toBe(false);
  expect(isOneWay('schema-code=active')).toBe(true);
});

test('what can be done at findings of a text is offered with the text that it makes', () => {
  const found = [
    { rule: 'language-tag', pointer: '/language' },
    { rule: 'nobody’s', pointer: '/status' },
  ];
  const text = textOf({ language: 'en_GB' });
  expect(offersIn(text, 'CarePlan', found, settings)).toMatchObject([
    { rule: 'language-tag', pointer: '/language', id: 'language-tag', count: 1 },
  ]);
  const [offer] = offersIn(text, 'CarePlan', found, settings);
  expect(JSON.parse(offer?.text ?? '')).toEqual(plan({ language: 'en-GB' }));
  expect(offer?.text).toContain('\n');
});

test.each(['', '[]', '{"a":', '7'])('in %j nothing is offered or mended', (text) => {
  expect(offersIn(text, 'CarePlan', [{ rule: 'empty', pointer: '' }], settings)).toEqual([]);
  expect(allMended(text, 'CarePlan', 'empty', settings)).toBeUndefined();
});

test('a text is mended at every finding, and how many there were is told', () => {
  const made = allMended(
    textOf({ created: '2026-03-12T09:30', language: 'x y' }),
    'CarePlan',
    'date-time-zone',
    settings,
  );
  expect(made?.mended).toBe(1);
  expect(JSON.parse(made?.text ?? '')).toEqual(plan({ created: '2026-03-12T09:30:00Z', language: 'x y' }));
  expect(allMended(textOf({}), 'CarePlan', 'date-time-zone', settings)).toBeUndefined();
});

test.each([
  ['empty', true, 'Remove the empty elements'],
  ['tim-6', true, 'Write periodMax as period'],
  ['tim-4', true, 'Take the sign of duration away'],
  ['calendar-date', false, undefined],
  ['unknown', false, undefined],
  ['every', false, 'Whatever has a safe fix'],
  ['remove', false, 'Remove the elements with errors; what they say is lost'],
])('findings of %s can be mended: %s', (rule, is, words) => {
  expect(isMendable(rule)).toBe(is);
  expect(wordsOfFix(rule)).toBe(words);
});
