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
