import { expect, test } from 'vitest';
import { scan } from '../../../core/json/scan.ts';
import { valuesAt } from './sample.ts';

test('counts the values at a path by their text, most frequent first', () => {
  const records = ['1.0', '1.00', '1.00'].map((number) => {
    const text = `{"n":${number}}`;
    return {
      target: { type: 'CarePlan', id: 'a', title: '', state: 'waiting' } as const,
      text,
      root: scan(text).root,
    };
  });
  const counts = valuesAt({ records, isComplete: true }, '/n').map(({ value, count }) => [value, count]);
  expect(counts).toEqual([
    ['1.00', 2],
    ['1.0', 1],
  ]);
  expect(valuesAt({ records, isComplete: true }, 'n')).toEqual([]);
});
