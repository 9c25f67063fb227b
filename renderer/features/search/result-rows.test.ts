import { expect, test } from 'vitest';
import { scan } from '../../../core/json/scan.ts';
import { addressOf, rowKey, rowsOf, rowsOfPages, type ResultRow } from './result-rows.ts';

const row = (text: string): ResultRow => {
  const [firstRow] = rowsOf({ total: 1, records: [{ node: scan(text).root, text }] }, { a: [2, 1] });
  if (!firstRow) throw new Error('A record has a row.');
  return firstRow;
};

test('builds a row with the values of the columns and without JSON', () => {
  expect(
    row(
      '{"resourceType":"CarePlan","id":"a","title":"T","note":[{"text":"long"}],"period":{"start":"2024-01-03"},"meta":{"versionId":"2"}}',
    ),
  ).toEqual({
    type: 'CarePlan',
    id: 'a',
    status: '',
    intent: '',
    title: 'T',
    subject: '',
    subjectName: '',
    encounter: '',
    date: '2024-01-03',
    end: '',
    version: '2',
    lastUpdated: '',
    values: {},
    issues: { errors: 2, warnings: 1 },
  });
});

test('counts no issues for a record without a count', () => {
  expect(row('{"resourceType":"CarePlan","id":"b"}').issues).toEqual({ errors: 0, warnings: 0 });
});

test('returns no address for a match of an unsupported type', () => {
  expect(addressOf(row('{"resourceType":"Patient","id":"a"}'))).toBeUndefined();
  expect(addressOf(row('{"resourceType":"Composition","id":"a","title":"T"}'))).toEqual({
    type: 'Composition',
    id: 'a',
    title: 'T',
  });
});

test('lists each row of several pages once, with a unique key', () => {
  const [a, repeatedRow, b] = ['a', 'a', 'b'].map((id) => row(`{"resourceType":"CarePlan","id":"${id}"}`));
  const [rowWithoutId, otherRowWithoutId] = [
    row('{"resourceType":"CarePlan"}'),
    row('{"resourceType":"CarePlan"}'),
  ];
  if (!a || !repeatedRow || !b) throw new Error('There are three rows.');
  const { rows, duplicateCount } = rowsOfPages([
    { rows: [a, repeatedRow, rowWithoutId] },
    { rows: [b, a, otherRowWithoutId] },
  ]);
  expect(rows).toEqual([a, rowWithoutId, b, otherRowWithoutId]);
  expect(duplicateCount).toBe(2);
  expect(new Set(rows.map(rowKey)).size).toBe(4);
  expect(rowKey(rowWithoutId)).toBe(rowKey(rowWithoutId));
});
