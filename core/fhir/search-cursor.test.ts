import fc from 'fast-check';
import { expect, test } from 'vitest';
import { latestFirst } from './search-criteria.ts';
import { formatCursor, formatPlace, parseCursor, parsePlace } from './search-cursor.ts';

test('formats a cursor as base64url of JSON and parses it back', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.maxSafeInteger())), (place) => {
      const text = formatPlace(place);
      expect(text).toMatch(/^[A-Za-z0-9_-]*$/);
      expect(JSON.parse(Buffer.from(text, 'base64url').toString())).toEqual(
        JSON.parse(JSON.stringify(place)),
      );
      expect(parsePlace(text)).toEqual(JSON.parse(JSON.stringify(place)));
    }),
    { seed: 20261121, numRuns: 500 },
  );
});

test('returns undefined for any other text', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(parseCursor(latestFirst, text)).toBeUndefined();
    }),
    { seed: 20261121 },
  );
});

const time = '2026-01-01T00:00:00.000Z';

test.each([
  ['another order', ['_id', '5', 0, 'a', 'a']],
  ['a number for a snapshot', ['-_lastUpdated', 5, 0, time, 'a']],
  ['a snapshot that no store makes', ['-_lastUpdated', '{}', 0, time, 'a']],
  ['a direction that is none', ['-_lastUpdated', '5', 2, time, 'a']],
  ['a key too few', ['-_lastUpdated', '5', 0, time]],
  ['a key too many', ['-_lastUpdated', '5', 0, time, 'a', 'b']],
  ['a key of another type', ['-_lastUpdated', '5', 0, 7, 'a']],
  ['a key that is too long', ['-_lastUpdated', '5', 0, time, 'a'.repeat(201)]],
])('rejects a cursor with %s', (_name, place) => {
  expect(parseCursor(latestFirst, formatPlace(place))).toBeUndefined();
});

test('parses a cursor that it formatted', () => {
  const cursor = { keys: [time, 'a'], snapshot: '5', backwards: true };
  expect(parseCursor(latestFirst, formatCursor(latestFirst, cursor))).toEqual(cursor);
});

test('includes both columns of a two-column order, with a key for each and the id', () => {
  const sort = [
    { column: 'date', descending: false },
    { column: 'title', descending: true },
  ] as const;
  const cursor = { keys: [5, 'x'.repeat(200), 'a'], snapshot: 'a-1.b:c@d,e_f', backwards: false };
  const text = formatCursor(sort, cursor);
  expect(parsePlace(text)?.slice(0, 3)).toEqual(['date,-title', 'a-1.b:c@d,e_f', 0]);
  expect(parseCursor(sort, text)).toEqual(cursor);
  expect(parseCursor(sort.toReversed(), text)).toBeUndefined();
  for (const keys of [
    ['5', 'x', 'a'],
    [1.5, 'x', 'a'],
    [5, 6, 'a'],
    [5, 'x', 6],
  ])
    expect(parseCursor(sort, formatCursor(sort, { ...cursor, keys }))).toBeUndefined();
  for (const snapshot of ['', ' a', 'a ', 'a'.repeat(201)])
    expect(parseCursor(sort, formatCursor(sort, { ...cursor, snapshot }))).toBeUndefined();
  expect(parseCursor(sort, formatCursor(sort, { ...cursor, snapshot: 'a'.repeat(200) }))).toBeDefined();
});
