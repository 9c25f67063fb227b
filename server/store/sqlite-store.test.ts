import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { indexRows } from '../../core/fhir/index-rows.ts';
import { readCriteria } from '../../core/fhir/search.ts';
import { scan } from '../../core/json/scan.ts';
import { openRecordStore } from './sqlite-store.ts';
import type { NewVersion, RecordStore, SearchPage } from './store.ts';

let folder: string;
let store: RecordStore;
let clock: number;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-store-'));
  store = await openRecordStore(join(folder, 'records.db'), undefined, undefined, { fewest: 0 });
  clock = Date.UTC(2026, 0, 1);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

function next(id: string, version: number, title: string, status = 'final'): NewVersion {
  const text = JSON.stringify({
    resourceType: 'Composition',
    id,
    status,
    date: `20${String(10 + (title.length % 80))}`,
    title,
    subject: { reference: 'Patient/p' },
  });
  clock += 1000;
  return {
    type: 'Composition',
    id,
    version,
    lastUpdated: new Date(clock).toISOString(),
    text,
    operation: version === 1 ? 'create' : 'update',
    author: 'test',
    index: indexRows('Composition', scan(text).root),
    issues: [],
  };
}

async function change(id: string, title: string, status?: string): Promise<void> {
  const current = (await store.read('Composition', id))?.version ?? 0;
  const changed = next(id, current + 1, title, status);
  expect(await store.replace(changed, current)).toBe('stored');
}

const idsOf = (page: SearchPage) => Array.from(page.records, ({ id }) => id);

/** Follows `next` to the end, and lets others write between the pages. */
async function follow(
  sort: string,
  meanwhile: (page: number) => Promise<void>,
  query = 'subject',
): Promise<string[]> {
  const base = readCriteria('Composition', [
    ...(query === '' ? [] : [[query, 'p'] as const]),
    ['_sort', sort],
    ['_count', '4'],
  ]);
  const seen: string[] = [];
  let page = await store.search(base, 4);
  for (let count = 0; ; count += 1) {
    seen.push(...idsOf(page));
    if (!page.next) return seen;
    await meanwhile(count);
    page = await store.search({ ...base, cursor: page.next }, 4);
  }
}

const names = Array.from({ length: 23 }, (_, index) => `r-${String(index).padStart(2, '0')}`);

describe.each([
  '-_lastUpdated',
  '_lastUpdated',
  '_id',
  '-_id',
  'date',
  '-date',
  'status',
  'title',
  '-title',
  'status,-title',
])('pages by %s', (sort) => {
  beforeEach(async () => {
    for (const [index, id] of names.entries()) {
      await store.insert(next(id, 1, 'abcdefg'.slice(index % 7), index % 2 ? 'final' : 'amended'));
    }
  });

  test('hold each record once, and the way back is the way there', async () => {
    const criteria = readCriteria('Composition', [['_sort', sort]]);
    const all = idsOf(await store.search(criteria, 100));
    const pages: string[][] = [];
    let page = await store.search(criteria, 5);
    pages.push(idsOf(page));
    while (page.next) {
      page = await store.search({ ...criteria, cursor: page.next }, 5);
      expect(page.total).toBe(23);
      pages.push(idsOf(page));
    }
    expect(pages.flat()).toEqual(all);
    for (const expected of pages.slice(0, -1).reverse()) {
      page = await store.search({ ...criteria, ...(page.previous && { cursor: page.previous }) }, 5);
      expect(idsOf(page)).toEqual(expected);
      expect(page.next).toBeDefined();
    }
    expect(page.previous).toBeUndefined();
  });

  test.each(['subject', ''])('hold each record once while others write (%s)', async (query) => {
    const seen = await follow(
      sort,
      async (page) => {
        await store.insert(next(`new-${page}`, 1, 'abc'.slice(page % 3)));
        // Both ends of the order move: records that were seen and records that were not.
        for (const id of [names[page * 3], names[22 - page * 2], names[page]]) {
          if (id !== undefined)
            await change(id, 'zyxwvu'.slice(page % 6), page % 2 ? 'preliminary' : 'final');
        }
      },
      query,
    );
    expect([...seen].sort()).toEqual(names);
  });
});

test('index rows follow each write', async () => {
  await store.insert(next('one', 1, 'First'));
  const total = (query: [string, string]) => store.total(readCriteria('Composition', [query]));
  expect(await total(['title', 'fir'])).toBe(1);
  await change('one', 'Second', 'amended');
  expect(await total(['title', 'fir'])).toBe(0);
  expect(await total(['title', 'sec'])).toBe(1);
  expect(await total(['status', 'final'])).toBe(0);
});

test('of the rows that describe a record, those that stay are not touched', async () => {
  const version = (number: number, parts: object): NewVersion => {
    const record = { resourceType: 'Composition', id: 'one', status: 'final', title: 'Same', ...parts };
    const text = JSON.stringify(record);
    return { ...next('one', number, ''), text, index: indexRows('Composition', scan(text).root) };
  };
  const category = (...codes: string[]) => ({ category: codes.map((code) => ({ coding: [{ code }] })) });
  const found = async (...codes: string[]) =>
    Promise.all(codes.map((code) => store.total(readCriteria('Composition', [['category', code]]))));
  const change = async (number: number, parts: object) => store.replace(version(number, parts), number - 1);
  await store.insert(version(1, category('a', 'b', 'b')));
  await change(2, category('b', 'c'));
  expect(await found('a', 'b', 'c')).toEqual([0, 1, 1]);
  await change(3, { ...category('d', 'b', 'e', 'c'), subject: { reference: 'Patient/p' } });
  expect(await found('b', 'c', 'd', 'e')).toEqual([1, 1, 1, 1]);
  await change(4, {});
  expect(await found('b', 'c', 'd', 'e')).toEqual([0, 0, 0, 0]);
  expect(await store.total(readCriteria('Composition', [['title', 'same']]))).toBe(1);
  expect(await store.total(readCriteria('Composition', [['subject', 'p']]))).toBe(0);
});

test('the issues of a record are those of its last write', async () => {
  const issue = {
    rule: 'cmp-1',
    severity: 'warning',
    category: 'completeness',
    pointer: '/section/0',
  } as const;
  const other = { ...issue, rule: 'other', pointer: '' };
  await store.insert({ ...next('one', 1, 'First'), issues: [issue, other] });
  expect((await store.revision('Composition', 'one'))?.issues).toEqual([issue, other]);
  await store.replace({ ...next('one', 2, 'First'), issues: [other] }, 1);
  expect((await store.revision('Composition', 'one'))?.issues).toEqual([other]);
});

test('a write that is refused leaves index and issues as they were', async () => {
  await store.insert(next('one', 1, 'First'));
  expect(await store.insert(next('one', 1, 'Other'))).toBe('exists');
  expect(await store.replace(next('one', 3, 'Other'), 2)).toBe('stale');
  expect(await store.total(readCriteria('Composition', [['title', 'other']]))).toBe(0);
  expect((await store.history('Composition', {}, 10)).total).toBe(1);
});

test('versions are read one by one and as history, newest first, page by page', async () => {
  for (const id of ['one', 'two']) await store.insert(next(id, 1, id));
  for (const title of ['a', 'b', 'c']) await change('one', title);
  expect(await store.readVersion('Composition', 'one', 2)).toMatchObject({
    version: 2,
    operation: 'update',
    author: 'test',
  });
  expect(await store.readVersion('Composition', 'one', 9)).toBeUndefined();
  expect(await store.readVersion('CarePlan', 'one', 1)).toBeUndefined();
  const whole = await store.history('Composition', {}, 10);
  expect(Array.from(whole.versions, ({ id, version }) => `${id}/${version}`)).toEqual([
    'one/4',
    'one/3',
    'one/2',
    'two/1',
    'one/1',
  ]);
  for (const query of [{}, { id: 'one' }]) {
    const all = await store.history('Composition', query, 10);
    const seen = [];
    let expected = all.total;
    let page = await store.history('Composition', query, 2);
    for (;;) {
      expect(page.total).toBe(expected);
      seen.push(...page.versions);
      if (!page.next) break;
      await change('one', `more ${seen.length}`);
      page = await store.history('Composition', { ...query, after: page.next, since: '2026' }, 2);
      expected += 1;
    }
    expect(seen).toEqual(all.versions);
  }
  const since = [...whole.versions][1]?.lastUpdated ?? '';
  const later = await store.history('Composition', { id: 'one', since }, 10);
  expect([...later.versions].at(-1)?.version).toBe(3);
});

test('the newest come first', async () => {
  for (const id of names) await store.insert(next(id, 1, 'same'));
  const criteria = readCriteria('Composition', [['status', 'final']]);
  expect(idsOf(await store.search(criteria, 100))).toEqual([...names].reverse());
});
