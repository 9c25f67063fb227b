import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { indexRows } from '../../../core/derive/derive.ts';
import { readCriteria, type Pair } from '../../../core/fhir/search.ts';
import type { Cursor, SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { scan } from '../../../core/json/scan.ts';
import { recordMigrations } from './migrations.ts';
import { recordSearch } from './record-search.ts';
import { runToEnd } from './cooperative-steps.ts';
import { openDatabase } from '../../sqlite/open-database.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';
import type { SearchPage } from '../store.ts';
import { versionWriter, IndexBacklog } from './version-writer.ts';

let folder: string;
let database: SqliteDatabase;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-search-'));
  database = openDatabase(join(folder, 'records.db'), recordMigrations);
  const backlog = new IndexBacklog(database);
  const writer = versionWriter(database, backlog);
  for (let number = 0; number < 60; number += 1) {
    const record = {
      resourceType: 'Composition',
      id: `r-${number}`,
      status: number % 3 ? 'final' : 'amended',
      date: `20${10 + (number % 7)}-03`,
      title: `Title ${number % 5}`,
      type: { coding: [{ system: 's', code: number % 2 ? 'a' : 'b' }] },
      author: [{ reference: `Practitioner/${number % 4}` }],
      subject: { reference: 'Patient/p' },
    };
    const text = JSON.stringify(record);
    const lastUpdated = new Date(Date.UTC(2026, 0, 1) + (number % 9) * 1000).toISOString();
    const index = indexRows('Composition', scan(text).root);
    const version = {
      id: record.id,
      version: 1,
      lastUpdated,
      text,
      operation: 'create',
      author: 'test',
    } as const;
    writer.insert({ ...version, type: 'Composition', index, issues: [] });
  }
  backlog.writeAll();
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const filters: Pair[][] = [
  [['status', 'final']],
  [
    ['status', 'final,amended'],
    ['type', 's|a'],
  ],
  [['date', 'ge2012']],
  [
    ['title', 'title 1'],
    ['date', 'lt2014'],
  ],
  [['author', 'Practitioner/1,2']],
  [['_lastUpdated', 'gt2026-01-01T00:00:03Z']],
];

test.each(filters.map((pairs) => [pairs.join(' & '), pairs] as const))(
  'returns the same pages by a scan and by sorted matches: %s',
  (_name, pairs) => {
    const searchByScan = pagesBy({ abundant: 0 });
    const searchBySort = pagesBy({});
    for (const sort of ['-_lastUpdated', 'title', '-date,status']) {
      const criteria = readCriteria('Composition', [...pairs, ['_sort', sort]]);
      let page = searchByScan(criteria, 4);
      expect([...page.records]).not.toEqual([]);
      for (let cursor = criteria.cursor; ; cursor = page.nextCursor) {
        const from = { ...criteria, ...(cursor && { cursor }) };
        page = searchByScan(from, 4);
        expect(page).toEqual(searchBySort(from, 4));
        if (!page.nextCursor) break;
      }
    }
  },
);

test('pages through all matches in both directions if pages are cut by size', () => {
  const criteria = readCriteria('Composition', [['_sort', 'title']]);
  const idsOf = (page: SearchPage) => Array.from(page.records, ({ id }) => id);
  const allIds = idsOf(pagesBy({})(criteria, 100));
  const searchCut = pagesBy({ bytes: 700 });
  const listPages = (cursor: Cursor | undefined, direction: 'nextCursor' | 'previousCursor'): string[] => {
    const page = searchCut({ ...criteria, ...(cursor && { cursor }) }, 100);
    expect(page.total).toBe(60);
    expect(idsOf(page).length).toBeLessThan(5);
    lastPage = page;
    const ids = idsOf(page);
    const remainingIds = page[direction] ? listPages(page[direction], direction) : [];
    return direction === 'nextCursor' ? [...ids, ...remainingIds] : [...remainingIds, ...ids];
  };
  let lastPage: SearchPage | undefined;
  expect(listPages(undefined, 'nextCursor')).toEqual(allIds);
  const { length } = lastPage ? idsOf(lastPage) : [];
  expect(listPages(lastPage?.previousCursor, 'previousCursor')).toEqual(allIds.slice(0, -length));
});

test('returns a record above the size limit as the only one of its page', () => {
  const page = pagesBy({ bytes: 1 })(readCriteria('Composition', []), 100);
  expect(page).toMatchObject({ total: 60, records: [{ version: 1 }], hasMore: true });
});

/** Creates a search that pages as the store does, for selective and other terms. */
function pagesBy(options: { readonly abundant?: number; readonly bytes?: number }) {
  const search = recordSearch(database, options);
  return (criteria: SearchCriteria, limit: number): SearchPage =>
    search.narrowPage(criteria, limit) ??
    runToEnd(search.bodies.page(criteria, search.pages.findPositions(criteria, limit), limit));
}
