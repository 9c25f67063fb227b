import { expect, test } from 'vitest';
import {
  formatHistoryRowCursor,
  formatIssueCursor,
  parseHistoryRowCursor,
  parseIssueCursor,
  snapshotOf,
} from './row-cursors.ts';

test('parses a formatted cursor', () => {
  expect(parseHistoryRowCursor(formatHistoryRowCursor(7, '2026-01-01T00:00:00.000Z'))).toEqual([
    7,
    '2026-01-01T00:00:00.000Z',
  ]);
  expect(parseIssueCursor(formatIssueCursor(3, 5))).toEqual([3, 5]);
  expect(snapshotOf({ keys: [], snapshot: '12', backwards: false })).toBe(12);
});

test('rejects cursors of another store, and starts a list again for its issue cursor', () => {
  expect(() => parseHistoryRowCursor('0/16B3748')).toThrow('must come from a next link');
  expect(() => snapshotOf({ keys: [], snapshot: '700:705:', backwards: false })).toThrow(
    'must come from a next link',
  );
  expect(parseIssueCursor('0/16B3748')).toBeUndefined();
});
