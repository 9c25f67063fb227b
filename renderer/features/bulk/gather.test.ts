import { expect, test } from 'vitest';
import type { SearchResult } from '../../../core/api/answers.ts';
import { scan } from '../../../core/json/scan.ts';
import { collectTargets } from './gather.ts';

const toSearchResult = (ids: readonly string[], next?: string): SearchResult => ({
  total: ids.length,
  records: ids.map((id) => {
    const text = `{"resourceType":"CarePlan","id":"${id}"}`;
    return { text, node: scan(text).root };
  }),
  ...(next !== undefined && { next }),
});

test('lists a record once although the server repeats it within or across pages', async () => {
  const client = {
    search: () => Promise.resolve(toSearchResult(['a', 'b', 'a'], '2')),
    nextPage: () => Promise.resolve(toSearchResult(['b', 'c'])),
    app: () => Promise.reject(new Error('A search asks nothing else.')),
    quality: '/quality',
  };
  const source = { kind: 'search', type: 'CarePlan', pairs: [], label: '', total: 5 } as const;
  const pages: string[][] = [];
  for await (const targets of collectTargets(client, source)) pages.push(targets.map(({ id }) => id));
  expect(pages).toEqual([['a', 'b'], ['c']]);
});
