import { expect, test } from 'vitest';
import { createDuplicateFilter } from './duplicate-filter.ts';

test('passes the first item of each id and counts duplicates on any page', () => {
  const list = createDuplicateFilter<string>((id) => id);
  expect(list.dropDuplicates(['a', 'b', 'a', ''])).toEqual(['a', 'b', '']);
  expect(list.dropDuplicates(['', 'b', 'c', 'a'])).toEqual(['', 'c']);
  expect(list.countDuplicates()).toBe(3);
  expect(createDuplicateFilter<string>((id) => id).dropDuplicates(['a'])).toEqual(['a']);
});
