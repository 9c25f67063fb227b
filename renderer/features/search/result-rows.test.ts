import { expect, test } from 'vitest';
import { scan } from '../../../core/json/scan.ts';
import { addressOf, rowKey, rowsOf, rowsOfPages, type ResultRow } from './result-rows.ts';

const row = (text: string): ResultRow => {
  const [first] = rowsOf({ total: 1, records: [{ node: scan(text).root, text }] }, { a: [2, 1] });
  if (!first) throw new Error('A record has a row.');
  return first;
};

test('a row holds what the columns show, and no JSON', () => {
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

test('a record that no issue was counted for has none', () => {
  expect(row('{"resourceType":"CarePlan","id":"b"}').issues).toEqual({ errors: 0, warnings: 0 });
});

test('a match that is no record of ours cannot be opened', () => {
  expect(addressOf(row('{"resourceType":"Patient","id":"a"}'))).toBeUndefined();
  expect(addressOf(row('{"resourceType":"Composition","id":"a","title":"T"}'))).toEqual({
    type: 'Composition',
    id: 'a',
    title: 'T',
  });
});

test('rows of several pages are each there once, and no two have one key', () => {
  const [a, again, b] = ['a', 'a', 'b'].map((id) => row(`{"resourceType":"CarePlan","id":"${id}"}`));
  const [none, other] = [row('{"resourceType":"CarePlan"}'), row('{"resourceType":"CarePlan"}')];
  if (!a || !again || !b) throw new Error('There are three rows.');
  const { rows, repeated } = rowsOfPages([{ rows: [a, again, none] }, { rows: [b, a, other] }]);
  expect(rows).toEqual([a, none, b, other]);
  expect(repeated).toBe(2);
  expect(new Set(rows.map(rowKey)).size).toBe(4);
  expect(rowKey(none)).toBe(rowKey(none));
});
