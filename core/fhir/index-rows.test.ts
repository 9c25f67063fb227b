import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { indexRows } from '../derive/derive.ts';
import { unbounded } from './search-date.ts';

const rowsOf = (type: 'CarePlan' | 'Composition', record: object) =>
  indexRows(type, scan(JSON.stringify(record)).root);

test.each([
  ['Patient/x', { target: 'x', type: 'Patient', base: null }],
  ['Patient/x/_history/3', { target: 'x', type: 'Patient', base: null }],
  ['urn:uuid:x', { target: 'x', type: null, base: 'urn:uuid' }],
  ['http://host/fhir/Patient/x', { target: 'x', type: 'Patient', base: 'http://host/fhir' }],
])('splits the subject %s into its parts', (reference, row) => {
  const rows = rowsOf('CarePlan', { subject: { reference } });
  expect(rows.references).toEqual([{ key: 'CarePlan.subject', ...row }]);
});

test('uses Reference.type if the literal has no type', () => {
  const rows = rowsOf('CarePlan', { subject: { reference: 'urn:uuid:x', type: 'Group' } });
  expect(rows.references[0]).toMatchObject({ target: 'x', type: 'Group' });
});

test.each([
  ['http://x/diet', ['diet']],
  ['http://x/diet|2', ['diet|2', 'diet']],
])('indexes the canonical %s as %j', (canonical, targets) => {
  const { references } = rowsOf('CarePlan', { instantiatesCanonical: [canonical] });
  expect(references.map(({ target }) => target)).toEqual(targets);
});

test('indexes codes, concepts and identifiers as tokens, and authors as references', () => {
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

test('leaves a period open without a start or an end', () => {
  const period = (value: object) => rowsOf('CarePlan', { period: value }).dates[0];
  expect(period({ start: '2026' })).toMatchObject({ low: Date.UTC(2026, 0), high: unbounded.high });
  expect(period({ end: '2026' })).toMatchObject({ low: unbounded.low, high: Date.UTC(2027, 0) });
});

test.each([
  { subject: { display: 'x' }, period: {}, category: [{}], identifier: 'odd', status: 7 },
  { subject: 'x', period: { start: '{date}' }, category: {}, identifier: [[]], status: {} },
  { subject: [{ reference: '#' }], period: [], category: [null], identifier: null, status: [] },
])('accepts an element without a usable value: %j', (record) => {
  const { references, dates } = rowsOf('CarePlan', record);
  expect(references.every(({ target }) => target === '')).toBe(true);
  expect(dates.every(({ low }) => low === null)).toBe(true);
});

test('indexes each of 200,000 values of an element', () => {
  const count = 200_000;
  const rows = rowsOf('Composition', {
    category: Array(count).fill({ text: 'a' }),
    author: Array(count).fill({ reference: 'Device/b' }),
  });
  expect([rows.tokens.length, rows.strings.length, rows.references.length]).toEqual([count, count, count]);
});

test('computes sort keys from time, status and title', () => {
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
  expect(rowsOf('CarePlan', {}).sort).toEqual({ date: unbounded.low, status: '', title: '' });
  expect(rowsOf('CarePlan', { period: { start: 'soon' }, status: 7 }).sort).toMatchObject({
    date: unbounded.low,
    status: '',
  });
});

test.each([
  [{ event: ['2026-02-01', '2026-01-01', 'soon', 7] }, Date.UTC(2026, 0), Date.UTC(2026, 1, 2)],
  [{ repeat: { boundsPeriod: { start: '2026' } } }, Date.UTC(2026, 0), unbounded.high],
  [{ event: ['2027'], repeat: { boundsPeriod: { end: '2025' } } }, unbounded.low, Date.UTC(2028, 0)],
  [{}, null, null],
])('indexes a timing of %j from its first to its last time', (scheduledTiming, low, high) => {
  const { dates } = rowsOf('CarePlan', { activity: [{ detail: { scheduledTiming } }] });
  expect(dates).toEqual([{ key: 'CarePlan.activity-date', low, high }]);
});

test('indexes no time for a schedule in words that looks like a date', () => {
  const { dates } = rowsOf('CarePlan', { activity: [{ detail: { scheduledString: '2026' } }] });
  expect(dates).toEqual([{ key: 'CarePlan.activity-date', low: null, high: null }]);
});

test('indexes no time for a period with an invalid end', () => {
  expect(rowsOf('CarePlan', { period: { start: '2026', end: 'soon' } }).dates).toMatchObject([{ low: null }]);
});

test('indexes the identifier of a reference as a token with the key of the reference', () => {
  const rows = rowsOf('CarePlan', { subject: { identifier: { system: 's', value: 'ABC' } } });
  expect(rows.tokens).toEqual([{ key: 'CarePlan.subject', system: 's', code: 'abc' }]);
  expect(rows.references).toEqual([{ key: 'CarePlan.subject', target: '', type: null, base: null }]);
});

test('indexes the type text of an identifier', () => {
  const { strings } = rowsOf('CarePlan', { identifier: [{ type: { text: 'Ward É' }, value: '1' }] });
  expect(strings).toEqual([{ key: 'CarePlan.identifier', folded: 'ward e', exact: 'Ward É' }]);
});

test('indexes only the requested parameters', () => {
  const record = scan(JSON.stringify({ status: 'active', subject: { reference: 'Patient/x' } })).root;
  const rows = indexRows('CarePlan', record, new Set(['CarePlan.status']));
  expect([rows.tokens.length, rows.references.length]).toEqual([1, 0]);
});

test('indexes a URI unchanged and never as a canonical', () => {
  const { strings } = rowsOf('CarePlan', { instantiatesUri: ['http://x/A|2'] });
  expect(strings.map(({ exact }) => exact)).toEqual(['http://x/A|2']);
});
