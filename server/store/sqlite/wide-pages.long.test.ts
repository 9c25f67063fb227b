import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { facetOf } from '../../../core/fhir/facet.ts';
import { indexRows } from '../../../core/derive/derive.ts';
import { readCriteria, type Pair } from '../../../core/fhir/search.ts';
import { scan } from '../../../core/json/scan.ts';
import { Random } from '../../demo/random.ts';
import { recordMigrations } from './migrations.ts';
import { openDatabase } from '../../sqlite/open-database.ts';
import { recordSearch } from './record-search.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';
import { versionWriter, IndexBacklog } from './version-writer.ts';

let folder: string;
let database: SqliteDatabase;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-pages-'));
  database = openDatabase(join(folder, 'records.db'), recordMigrations);
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

/** Writes one version of each record. */
function write(
  records: readonly { id: string; version: number; status: string; title: string; day: number }[],
): void {
  const backlog = new IndexBacklog(database);
  const writer = versionWriter(database, backlog);
  for (const { id, version, status, title, day } of records) {
    const date = `2026-01-${String(day).padStart(2, '0')}`;
    const text = JSON.stringify({ resourceType: 'Composition', id, status, title, date });
    const rows = { index: indexRows('Composition', scan(text).root), issues: [] };
    const lastUpdated = `2026-02-01T00:00:00.${String(day).padStart(3, '0')}Z`;
    const metadata = {
      id,
      version,
      lastUpdated,
      operation: 'create',
      author: 'test',
      text,
      type: 'Composition',
    } as const;
    if (version === 1) writer.insert({ ...metadata, ...rows });
    else writer.replace({ ...metadata, ...rows }, version - 1);
  }
  backlog.writeAll();
}

const queries: Pair[][] = ['-_lastUpdated', 'title', '-date', 'status,-date', '-status,title'].flatMap(
  (sort): Pair[][] => [
    [['_sort', sort]],
    [
      ['status', 'final'],
      ['_sort', sort],
    ],
    [
      ['title:contains', '1'],
      ['_sort', sort],
    ],
  ],
);

test.each([0, 20_000])(
  'keeps updated first pages equal to rebuilt ones with an abundance of %i matches',
  (abundant) => {
    const random = new Random(7, 0, 1);
    const versions = new Map<string, number>();
    const cachedSearch = recordSearch(database, { abundant });
    const createVersions = (count: number) =>
      Array.from({ length: count }, () => {
        const id = `r${random.integerBetween(0, versions.size + 9)}`;
        const version = (versions.get(id) ?? 0) + 1;
        versions.set(id, version);
        const status = random.pick(['final', 'amended', 'preliminary']);
        return {
          id,
          version,
          status,
          title: `Title ${random.integerBetween(0, 29)}`,
          day: random.integerBetween(1, 28),
        };
      });
    const answers = (search: ReturnType<typeof recordSearch>) =>
      queries.map((query) => {
        const { total, rows } = search.pages.findPositions(readCriteria('Composition', query), 5);
        return { query, total, rows };
      });
    write(createVersions(300));
    answers(cachedSearch);
    for (let round = 0; round < 60; round += 1) {
      write(createVersions(random.chance(20) ? 40 : random.integerBetween(1, 3)));
      expect(answers(cachedSearch)).toEqual(answers(recordSearch(database, { abundant })));
    }
  },
);

test('counts writes after the preparation of a facet', () => {
  const record = (id: string, version: number, status: string) => ({
    id,
    version,
    status,
    title: 't',
    day: 1,
  });
  write([record('a', 1, 'final'), record('b', 1, 'final')]);
  const searches = recordSearch(database);
  const status = facetOf('Composition', 'status');
  if (!status) throw new Error('Compositions have a status.');
  while (searches.facets.prepare('Composition', status));
  write([record('a', 2, 'amended'), record('c', 1, 'final')]);
  const { values } = searches.facets.values(readCriteria('Composition', []), status, 10);
  expect(values.map(({ value, count }) => [value, count])).toEqual([
    [expect.objectContaining({ code: 'final' }), 2],
    [expect.objectContaining({ code: 'amended' }), 1],
  ]);
});
