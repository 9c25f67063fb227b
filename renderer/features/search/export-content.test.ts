import { expect, test } from 'vitest';
import type { SearchResult } from '../../../core/api/answers.ts';
import type { Client } from '../../../core/api/client.ts';
import { scan } from '../../../core/json/scan.ts';
import { createRecordFilter, recordsOf } from './export-content.ts';

const toSearchResult = (ids: readonly string[], next?: string): SearchResult => ({
  total: ids.length,
  records: ids.map((id) => {
    const text = `{"resourceType":"CarePlan","id":"${id}"}`;
    return { text, node: scan(text).root };
  }),
  ...(next !== undefined && { next }),
});

test('writes a repeated record once and counts the repetitions', async () => {
  const client = {
    search: () => Promise.resolve(toSearchResult(['a', 'b', 'a'], '2')),
    nextPage: () => Promise.resolve(toSearchResult(['b', 'c'])),
  } as unknown as Client;
  const list = createRecordFilter();
  const texts: string[] = [];
  for await (const page of recordsOf(client, { type: 'CarePlan', pairs: [] }, list))
    texts.push(...page.map(({ text }) => text));
  expect(texts).toEqual(['a', 'b', 'c'].map((id) => `{"resourceType":"CarePlan","id":"${id}"}`));
  expect(list.countDuplicates()).toBe(2);
});
