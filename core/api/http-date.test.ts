import { expect, test } from 'vitest';
import { parseHttpDate, formatHttpDate } from './precondition.ts';

test.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
  'parses the HTTP date %s',
  (text) => {
    expect(parseHttpDate(text)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
  },
);

test.each([
  '',
  'yesterday',
  '2030-01-01',
  '2030-01-01T00:00:00Z',
  '0',
  'Sun, 06 Nov 1994 08:49:37 +0000',
  'Sun, 06 Foo 1994 08:49:37 GMT',
])('rejects %j as HTTP date', (text) => {
  expect(parseHttpDate(text)).toBeUndefined();
});

test('formats instants like Date.toUTCString, also after the cache of days overflowed', () => {
  const stepHours = 7;
  // The milliseconds are dropped.
  const instants = Array.from({ length: 5000 }, (_, index) =>
    new Date(index * stepHours * 3_600_000 + 999).toISOString(),
  );
  expect(instants.map(formatHttpDate)).toEqual(instants.map((instant) => new Date(instant).toUTCString()));
});
