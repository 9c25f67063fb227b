import { expect, test } from 'vitest';
import { FhirError } from './outcome.ts';
import { formatHistoryCursor, readHistoryCriteria } from './search-history.ts';
import { formatPlace } from './search-cursor.ts';

function textOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof FhirError) return error.message;
    throw error;
  }
  return 'none';
}

test('continues a page after a version', () => {
  const cursor = formatHistoryCursor('5-a');
  expect(readHistoryCriteria([['_cursor', cursor]])).toEqual({
    pretty: false,
    after: '5-a',
    usedPairs: [['_cursor', cursor]],
  });
});

test.each([
  ['that is none', 'abc'],
  ['of a search', formatPlace(['-_lastUpdated', '5', 0, 'a', 'b'])],
  ['without a place', formatPlace(['_history'])],
  ['whose place is a number', formatPlace(['_history', 5])],
  ['with something behind its place', formatPlace(['_history', '5', 'x'])],
  ['whose place no store makes', formatPlace(['_history', '{}'])],
])('rejects a cursor %s', (_description, value) => {
  expect(textOf(() => readHistoryCriteria([['_cursor', value]]))).toBe(
    'The parameter _cursor must come from a next link.',
  );
});

test('lists supported parameters for an unknown one, and ignores it if lenient', () => {
  const pairs = [['status', 'final'] as const];
  expect(textOf(() => readHistoryCriteria(pairs))).toBe(
    'Unknown parameter. A history supports _count, _cursor, _since, _format, and _pretty.',
  );
  expect(readHistoryCriteria(pairs, { lenient: true })).toEqual({ pretty: false, usedPairs: [] });
});

test.each([
  ['_since', 'soon', 'The parameter _since must be an instant such as 2026-03-01T12:00:00Z.'],
  ['_since', ' ', 'The parameter _since has no value.'],
  ['_count', '1.5', 'The parameter _count must be a whole number from 0.'],
  ['_pretty', 'yes', 'The parameter _pretty must be true or false.'],
])('rejects %s=%j with a message', (name, value, text) => {
  expect(textOf(() => readHistoryCriteria([[name, value]]))).toBe(text);
});

test('parses _pretty', () => {
  expect(readHistoryCriteria([['_pretty', 'true']]).pretty).toBe(true);
  expect(readHistoryCriteria([['_pretty', 'false']]).pretty).toBe(false);
  expect(readHistoryCriteria([])).toEqual({ pretty: false, usedPairs: [] });
});
