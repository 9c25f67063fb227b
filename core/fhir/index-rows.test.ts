import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { indexRows } from './index-rows.ts';
import { always } from './search-date.ts';

const rowsOf = (type: 'CarePlan' | 'Composition', record: object) =>
  indexRows(type, scan(JSON.stringify(record)).root);

test.each([
  ['Patient/x', { target: 'x', type: 'Patient', base: null }],
  ['Patient/x/_history/3', { target: 'x', type: 'Patient', base: null }],
  ['urn:uuid:x', { target: 'x', type: null, base: 'urn:uuid' }],
  ['http://host/fhir/Patient/x', { target: 'x', type: 'Patient', base: 'http://host/fhir' }],
])('the subject %s is indexed taken apart', (reference, row) => {
  const rows = rowsOf('CarePlan', { subject: { reference } });
  expect(rows.references).toEqual([{ key: 'CarePlan.subject', ...row }]);
});

test('Reference.type says the type where the literal does not', () => {
  const rows = rowsOf('CarePlan', { subject: { reference: 'urn:uuid:x', type: 'Group' } });
  expect(rows.references[0]).toMatchObject({ target: 'x', type: 'Group' });
});

test.each([
  ['http://x/diet', ['diet']],
  ['http://x/diet|2', ['diet|2', 'diet']],
])('the canonical %s is found by %j', (canonical, targets) => {
  const { references } = rowsOf('CarePlan', { instantiatesCanonical: [canonical] });
  expect(references.map(({ target }) => target)).toEqual(targets);
});

test('codes, concepts and identifiers are tokens; each author is a reference', () => {
  const rows = rowsOf('Composition', {
    identifier: { system: 'urn:s', value: 'ABC' },
    status: 'final',
    category: [{ text: 'Kind', coding: [{ system: 'a', code: '1', display: 'One' }, { code: '2' }] }],
    author: [{ reference: 'Practitioner/a' }, { reference: 'Device/b' }],
  });
  expect(rows.tokens).toEqual([
    { key: 'Composition.identifier', system: 'urn:s', code: 'abc' },
    { key: 'Composition.status', system: null, code: 'final' },
    { key: 'Composition.category', system: 'a', code: '1' },
    { key: 'Composition.category', system: null, code: '2' },
  ]);
  expect(rows.strings.map(({ exact }) => exact)).toEqual(['Kind', 'One']);
  expect(rows.references.map(({ target }) => target)).toEqual(['a', 'b']);
});

test('a period is open where it has no start or no end', () => {
  const period = (value: object) => rowsOf('CarePlan', { period: value }).dates[0];
  expect(period({ start: '2026' })).toMatchObject({ low: Date.UTC(2026, 0), high: always.high });
  expect(period({ end: '2026' })).toMatchObject({ low: always.low, high: Date.UTC(2027, 0) });
});

test.each([
  { subject: { display: 'x' }, period: {}, category: [{}], identifier: 'odd', status: 7 },
  { subject: 'x', period: { start: '{date}' }, category: {}, identifier: [[]], status: {} },
  { subject: [{ reference: '#' }], period: [], category: [null], identifier: null, status: [] },
])('an element without a usable value does not fail: %j', (record) => {
  const { references, dates } = rowsOf('CarePlan', record);
  expect(references.every(({ target }) => target === '')).toBe(true);
  expect(dates.every(({ low }) => low === null)).toBe(true);
});

test('each of 200,000 values of an element has its row', () => {
  const many = 200_000;
  const rows = rowsOf('Composition', {
    category: Array(many).fill({ text: 'a' }),
    author: Array(many).fill({ reference: 'Device/b' }),
  });
  expect([rows.tokens.length, rows.strings.length, rows.references.length]).toEqual([many, many, many]);
});

test('a record is ordered by its time, status and title, as far as they go', () => {
  const title = `É${'x'.repeat(200)}`;
  const record = { date: '2026-03-01', status: 'final', title };
  expect(rowsOf('Composition', record).sort).toEqual({
    date: Date.UTC(2026, 2),
    status: 'final',
    title: `e${'x'.repeat(99)}`,
  });
  expect(rowsOf('CarePlan', { period: { start: '2026', end: '2027' } }).sort).toMatchObject({
    date: Date.UTC(2026, 0),
  });
  expect(rowsOf('CarePlan', {}).sort).toEqual({ date: always.low, status: '', title: '' });
  expect(rowsOf('CarePlan', { period: { start: 'soon' }, status: 7 }).sort).toMatchObject({
    date: always.low,
    status: '',
  });
});

test.each([
  [{ event: ['2026-02-01', '2026-01-01', 'soon', 7] }, Date.UTC(2026, 0), Date.UTC(2026, 1, 2)],
  [{ repeat: { boundsPeriod: { start: '2026' } } }, Date.UTC(2026, 0), always.high],
  [{ event: ['2027'], repeat: { boundsPeriod: { end: '2025' } } }, always.low, Date.UTC(2028, 0)],
  [{}, null, null],
])('a timing of %j lasts from its first to its last time', (scheduledTiming, low, high) => {
  const { dates } = rowsOf('CarePlan', { activity: [{ detail: { scheduledTiming } }] });
  expect(dates).toEqual([{ key: 'CarePlan.activity-date', low, high }]);
});

test('a schedule in words is no time, whatever it looks like', () => {
  const { dates } = rowsOf('CarePlan', { activity: [{ detail: { scheduledString: '2026' } }] });
  expect(dates).toEqual([{ key: 'CarePlan.activity-date', low: null, high: null }]);
});

test('a period that ends in no date has no time', () => {
  expect(rowsOf('CarePlan', { period: { start: '2026', end: 'soon' } }).dates).toMatchObject([{ low: null }]);
});

test('the identifier of a reference is a token under the name of the reference', () => {
  const rows = rowsOf('CarePlan', { subject: { identifier: { system: 's', value: 'ABC' } } });
  expect(rows.tokens).toEqual([{ key: 'CarePlan.subject', system: 's', code: 'abc' }]);
  expect(rows.references).toEqual([{ key: 'CarePlan.subject', target: '', type: null, base: null }]);
});

test('the text of the type of an identifier is found, and a coding by its display', () => {
  const { strings } = rowsOf('CarePlan', { identifier: [{ type: { text: 'Ward É' }, value: '1' }] });
  expect(strings).toEqual([{ key: 'CarePlan.identifier', folded: 'ward e', exact: 'Ward É' }]);
});

test('the rows of some parameters can be made alone', () => {
  const record = scan(JSON.stringify({ status: 'active', subject: { reference: 'Patient/x' } })).root;
  const rows = indexRows('CarePlan', record, new Set(['CarePlan.status']));
  expect([rows.tokens.length, rows.references.length]).toEqual([1, 0]);
});

test('addresses are found as they are, canonicals with their version and without', () => {
  const { strings } = rowsOf('CarePlan', { instantiatesUri: ['http://x/A|2'] });
  expect(strings.map(({ exact }) => exact)).toEqual(['http://x/A|2']);
});
