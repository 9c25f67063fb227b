import { expect, test } from 'vitest';
import { format } from '../../../../core/json/print.ts';
import { toVersion } from '../../../platform/record-version.ts';
import { mergeOf, rebaseOf } from './merge-record.ts';

const record = (
  version: number,
  rest: string,
  meta = `"versionId":"${version}","lastUpdated":"t${version}"`,
) => toVersion({ text: `{"resourceType":"CarePlan","id":"a","meta":{${meta}},${rest}}`, version });

const base = record(1, '"status":"draft","n":1.00');
const theirs = record(2, '"status":"active","n":1.00');

test('the stamp of their version is no change of theirs, and the merged text bears it', () => {
  const mine = record(1, '"status":"draft","n":2.50');
  const merged = mergeOf(base, mine.text, theirs);
  expect(merged?.rows.map(({ pointer, by }) => [pointer, by])).toEqual([
    ['/status', 'theirs'],
    ['/n', 'mine'],
  ]);
  expect(merged && format(merged.resolve())).toBe(record(2, '"status":"active","n":2.50').text);
  expect(merged && rebaseOf('merged', merged, theirs)).toEqual({ how: 'merged', version: 2, theirs: 1 });
});

test('a text without the stamp does not overlap for that', () => {
  const mine = record(1, '"status":"draft","n":2.50', '"source":"x"');
  expect(mergeOf(base, mine.text, theirs)?.disjoint).toBe(true);
});

test('their own change of meta stays one', () => {
  const tagged = record(2, '"status":"draft","n":1.00', '"versionId":"2","lastUpdated":"t2","source":"x"');
  expect(mergeOf(base, base.text, tagged)?.rows).toMatchObject([{ pointer: '/meta/source', by: 'theirs' }]);
});

test('a text that is not JSON is not merged', () => {
  expect(mergeOf(base, '{', theirs)).toBeUndefined();
});
