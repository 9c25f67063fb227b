import { expect, test } from 'vitest';
import { checkKeys } from './unique-keys.ts';

test('rejects rows with a duplicate key', () => {
  const keyOf = (row: string) => row;
  expect(() => checkKeys({ label: 'Plans', rows: ['a', 'b', 'a'], keyOf })).toThrow(
    'Two rows of Plans have the key a.',
  );
  expect(() => checkKeys({ label: 'Plans', rows: ['a', 'b'], keyOf })).not.toThrow();
  const unloadedRows = { length: 2, at: () => undefined };
  expect(() => checkKeys({ label: 'Log', rows: unloadedRows, keyOf })).not.toThrow();
});
