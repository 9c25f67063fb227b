import { expect, test } from 'vitest';
import { scan } from '../../../core/json/scan.ts';
import { valuesAt } from './sample.ts';

test('the values at a path are counted as they are written, the most frequent first', () => {
  const records = ['1.0', '1.00', '1.00'].map((written) => {
    const text = `{"n":${written}}`;
    return {
      target: { type: 'CarePlan', id: 'a', title: '', state: 'waiting' } as const,
      text,
      root: scan(text).root,
    };
  });
  const counts = valuesAt({ records, all: true }, '/n').map(({ value, count }) => [value, count]);
  expect(counts).toEqual([
    ['1.00', 2],
    ['1.0', 1],
  ]);
  expect(valuesAt({ records, all: true }, 'n')).toEqual([]);
});
