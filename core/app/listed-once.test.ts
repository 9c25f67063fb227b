import { expect, test } from 'vitest';
import { createDuplicateFilter } from './listed-once.ts';

test('passes the first item of each id and counts duplicates on any page', () => {
  const list = createDuplicateFilter<string>((id) => id);
  expect(list.take(['a', 'b', 'a', ''])).toEqual(['a', 'b', '']);
  expect(list.take(['', 'b', 'c', 'a'])).toEqual(['', 'c']);
  expect(list.repeated()).toBe(3);
  expect(createDuplicateFilter<string>((id) => id).take(['a'])).toEqual(['a']);
});
