import { expect, test } from 'vitest';
import { historyPlace, issuePlace, readHistoryPlace, readIssuePlace, snapshotOf } from './places.ts';

test('a place reads back as what it was made of', () => {
  expect(readHistoryPlace(historyPlace(7, '2026-01-01T00:00:00.000Z'))).toEqual([
    7,
    '2026-01-01T00:00:00.000Z',
  ]);
  expect(readIssuePlace(issuePlace(3, 5))).toEqual([3, 5]);
  expect(snapshotOf({ keys: [], snapshot: '12', backwards: false })).toBe(12);
});

test('places and snapshots of another store are refused as values, one of a list begins it anew', () => {
  expect(() => readHistoryPlace('0/16B3748')).toThrow('must come from a next link');
  expect(() => snapshotOf({ keys: [], snapshot: '700:705:', backwards: false })).toThrow(
    'must come from a next link',
  );
  expect(readIssuePlace('0/16B3748')).toBeUndefined();
});
