import { expect, test } from 'vitest';
import { limits } from '../../core/api/contract.ts';
import { createSearch, type SearchStore } from './search.ts';

const options = { lenient: false, base: 'http://here' };

/** A store in which more matches than one answer holds. */
const full: SearchStore = {
  read: () => Promise.resolve(undefined),
  search: (_criteria, limit) => Promise.resolve({ total: limit + 1, records: [], more: true }),
  total: () => Promise.resolve(limits.matches + 1),
  history: (_type, _query, limit) => Promise.resolve({ total: limit + 1, versions: [], more: true }),
};
const searches = createSearch({ store: full });

test('row 57: more than 5,000 matches without _count are 400 too-costly, with the way out', async () => {
  expect(limits.matches).toBe(5000);
  const problems = [{ text: expect.stringContaining('_count') as string, location: 'http._count' }];
  const costly = { kind: 'too-costly', status: 400, problems };
  await expect(searches.search('Composition', [], options)).rejects.toMatchObject(costly);
  await expect(searches.history('Composition', undefined, [], options)).rejects.toMatchObject(costly);
});

test('row 57: with _count, and for the total alone, any number of matches is answered', async () => {
  const page = await searches.search('Composition', [['_count', '10']], options);
  expect(page.toString()).toContain('"total":11');
  const total = await searches.search('Composition', [['_summary', 'count']], options);
  expect(total.toString()).toContain('"total":5001');
});

test('row 57: a history that is longer than any text can be is 400 too-costly, with the way out', async () => {
  const text = `"${'x'.repeat(1024 ** 2)}"`;
  const version = { id: 'a', version: 1, lastUpdated: '', operation: 'create', author: '', text } as const;
  const large: SearchStore = {
    ...full,
    history: () => Promise.resolve({ total: 600, versions: Array(600).fill(version), more: false }),
  };
  await expect(
    createSearch({ store: large }).history('Composition', undefined, [], options),
  ).rejects.toMatchObject({
    ...{ kind: 'too-costly', status: 400 },
    problems: [{ text: expect.stringContaining('_count') as string, location: 'http._count' }],
  });
});

test('row 57: an indented page that is longer than any text can be is 400 too-costly', async () => {
  const bytes = Buffer.alloc(1024 ** 2, 0x20);
  const record = { id: 'a', version: 1, lastUpdated: '', bytes };
  const large: SearchStore = {
    ...full,
    search: () => Promise.resolve({ total: 600, records: Array(600).fill(record), more: false }),
  };
  const page = createSearch({ store: large }).search('Composition', [['_pretty', 'true']], options);
  await expect(page).rejects.toMatchObject({ kind: 'too-costly', status: 400 });
});
