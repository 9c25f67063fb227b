import { expect, test } from 'vitest';
import { limits } from '../../core/api/contract.ts';
import type { Pair } from '../../core/fhir/search.ts';
import { formatNode, serializeNode } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import { bufferOf } from './bundle-text.ts';
import { createSearch, type BundleStream, type SearchStore } from './search.ts';

const options = { lenient: false, base: 'http://here' };

/** A store with more matches than one response may contain. */
const full: SearchStore = {
  read: () => Promise.resolve(undefined),
  readRemoved: () => Promise.resolve(undefined),
  search: (_criteria, limit) => Promise.resolve({ total: limit + 1, records: [], hasMore: true }),
  total: () => Promise.resolve(limits.matches + 1),
  history: (_type, _query, limit) => Promise.resolve({ total: limit + 1, versions: [], hasMore: true }),
};
const searches = createSearch({ store: full });

// Row 57 of docs/api-rows.md.
test('rejects more than 5,000 versions without _count and names the way out', async () => {
  const problems = [{ text: expect.stringContaining('_count') as string, location: 'http._count' }];
  const costly = { kind: 'too-costly', status: 400, problems };
  await expect(searches.history('Composition', undefined, [], options)).rejects.toMatchObject(costly);
});

// Row 57 of docs/api-rows.md.
test('returns the first 1,000 of more than 5,000 matches and a next link without _count', async () => {
  expect(limits.matches).toBe(5000);
  const queries: unknown[] = [];
  const store: SearchStore = {
    ...full,
    search(_criteria, limit, _signal, page) {
      queries.push(limit, page);
      const nextCursor = { keys: ['2026', 'x'], snapshot: '1', backwards: false };
      return Promise.resolve({ total: 5001, records: [], hasMore: true, nextCursor });
    },
  };
  const response = await createSearch({ store }).search('Composition', [['status', 'final']], options);
  expect(queries).toEqual([5000, 1000]);
  const { link } = JSON.parse(textOf(response)) as { link: { relation: string; url: string }[] };
  expect(link.map(({ relation }) => relation)).toEqual(['self', 'first', 'next']);
  expect(link[0]?.url).not.toContain('_count');
  expect(link[2]?.url).toContain('status=final&_count=1000&_cursor=');
});

const textOf = (response: Buffer | BundleStream) => (Buffer.isBuffer(response) ? response.toString() : '');

// Row 57 of docs/api-rows.md.
test('returns any number of matches with _count or for the total', async () => {
  const page = await searches.search('Composition', [['_count', '10']], options);
  expect(textOf(page)).toContain('"total":11');
  const total = await searches.search('Composition', [['_summary', 'count']], options);
  expect(textOf(total)).toContain('"total":5001');
});

/** A store of so many records, or versions of one, with this text. */
const storeOf = (count: number, text: string): SearchStore => ({
  ...full,
  search: () => {
    const record = { id: 'a', version: 1, lastUpdated: '', bytes: Buffer.from(text) };
    return Promise.resolve({ total: count, records: Array(count).fill(record), hasMore: false });
  },
  history: () => {
    const version = { id: 'a', version: 1, lastUpdated: '', operation: 'create', author: '', text } as const;
    return Promise.resolve({ total: count, versions: Array(count).fill(version), hasMore: false });
  },
});
const indented: Pair[] = [
  ['_pretty', 'true'],
  ['_count', '9'],
];

test.each([0, 1, 3])('indents all %i records of a response', async (count) => {
  const text = String.raw`{"a":{"b":[1.00,{}],"resource":null},"c":"\"resource\": null"}`;
  const service = createSearch({ store: storeOf(count, text) });
  for (const response of [
    await service.search('Composition', indented, options),
    await service.history('Composition', undefined, indented, options),
  ]) {
    const bytes = Buffer.isBuffer(response) ? response : await bufferOf(response.pieces);
    const { root } = scan(bytes.toString());
    expect(bytes.toString()).toBe(formatNode(root));
    expect(serializeNode(root).split(text)).toHaveLength(count + 1);
  }
});
