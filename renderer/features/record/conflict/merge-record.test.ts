import { expect, test } from 'vitest';
import { formatNode } from '../../../../core/json/node.ts';
import { toVersion } from '../../../platform/record-version.ts';
import { mergeOf, rebaseOf } from './merge-record.ts';

const record = (
  version: number,
  members: string,
  meta = `"versionId":"${version}","lastUpdated":"t${version}"`,
) => toVersion({ text: `{"resourceType":"CarePlan","id":"a","meta":{${meta}},${members}}`, version });

const base = record(1, '"status":"draft","n":1.00');
const theirs = record(2, '"status":"active","n":1.00');

test('ignores the server metadata of their version and writes it into the result', () => {
  const ours = record(1, '"status":"draft","n":2.50');
  const mergeResult = mergeOf(base, ours.text, theirs);
  expect(mergeResult?.rows.map(({ pointer, side }) => [pointer, side])).toEqual([
    ['/status', 'theirs'],
    ['/n', 'ours'],
  ]);
  expect(mergeResult && formatNode(mergeResult.resolve())).toBe(record(2, '"status":"active","n":2.50').text);
  expect(mergeResult && rebaseOf('merged', mergeResult, theirs)).toEqual({
    method: 'merged',
    version: 2,
    theirs: 1,
  });
});

test('ignores missing server metadata', () => {
  const ours = record(1, '"status":"draft","n":2.50', '"source":"x"');
  expect(mergeOf(base, ours.text, theirs)?.disjoint).toBe(true);
});

test('reports their change of other meta members', () => {
  const tagged = record(2, '"status":"draft","n":1.00', '"versionId":"2","lastUpdated":"t2","source":"x"');
  expect(mergeOf(base, base.text, tagged)?.rows).toMatchObject([{ pointer: '/meta/source', side: 'theirs' }]);
});

test('returns undefined for text that is not JSON', () => {
  expect(mergeOf(base, '{', theirs)).toBeUndefined();
});
