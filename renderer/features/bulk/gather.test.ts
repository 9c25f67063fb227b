import { expect, test } from 'vitest';
import type { SearchResult } from '../../../core/api/answers.ts';
import { scan } from '../../../core/json/scan.ts';
import { gather } from './gather.ts';

const listed = (ids: readonly string[], next?: string): SearchResult => ({
  total: ids.length,
  records: ids.map((id) => {
    const text = `{"resourceType":"CarePlan","id":"${id}"}`;
    return { text, node: scan(text).root };
  }),
  ...(next !== undefined && { next }),
});

test('a record that a server lists twice, on a page or on two, is one target', async () => {
  const client = {
    search: () => Promise.resolve(listed(['a', 'b', 'a'], '2')),
    nextPage: () => Promise.resolve(listed(['b', 'c'])),
    app: () => Promise.reject(new Error('A search asks nothing else.')),
    quality: '/quality',
  };
  const source = { kind: 'search', type: 'CarePlan', pairs: [], label: '', total: 5 } as const;
  const pages: string[][] = [];
  for await (const targets of gather(client, source)) pages.push(targets.map(({ id }) => id));
  expect(pages).toEqual([['a', 'b'], ['c']]);
});
