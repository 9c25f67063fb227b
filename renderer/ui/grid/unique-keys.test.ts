import { expect, test } from 'vitest';
import { assertUniqueKeys } from './unique-keys.ts';

test('rejects rows with a duplicate key', () => {
  const keyOf = (row: string) => row;
  expect(() => assertUniqueKeys({ label: 'Plans', rows: ['a', 'b', 'a'], keyOf })).toThrow(
    'Two rows of Plans have the key a.',
  );
  expect(() => assertUniqueKeys({ label: 'Plans', rows: ['a', 'b'], keyOf })).not.toThrow();
  const unloadedRows = { length: 2, at: () => undefined };
  expect(() => assertUniqueKeys({ label: 'Log', rows: unloadedRows, keyOf })).not.toThrow();
});
