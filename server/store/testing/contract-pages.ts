import { beforeEach, describe, expect, test } from 'vitest';
import { toCriteria, idsOf, worldOf, type Engine } from './contract-store.ts';

const names = Array.from({ length: 23 }, (_, index) => `r-${String(index).padStart(2, '0')}`);

/** Sort orders: an instant, a date and two texts. The long tests use all orders. */
const sorts = [
  '-_lastUpdated',
  'date',
  'status,-title',
  ...(process.env.LONG_TESTS === undefined
    ? []
    : ['_lastUpdated', '-_id', '_id', '-date', 'status', '-title', 'title', 'title,-_lastUpdated']),
];

/** Tests paging on a snapshot, and histories. */
export function pages(engine: Engine): void {
  const world = worldOf(engine);
  const { next, change } = world;

  /** Follows `next` to the end and runs other writes between the pages. */
  async function follow(sort: string, subject: string, writeBetween: (page: number) => Promise<void>) {
    const base = toCriteria(...(subject === '' ? [] : [['subject', subject] as const]), ['_sort', sort]);
    const ids: string[] = [];
    let page = await world.store.search(base, 4);
    for (let count = 0; ; count += 1) {
      ids.push(...idsOf(page));
      if (!page.nextCursor) return ids;
      await writeBetween(count);
      page = await world.store.search({ ...base, cursor: page.nextCursor }, 4);
    }
  }

  describe.each(sorts)('by %s', (sort) => {
    beforeEach(async () => {
      const versions = names.map((id, index) =>
        next(id, 1, 'abcdefg'.slice(index % 7), { status: index % 2 ? 'final' : 'amended' }),
      );
      await Promise.all(versions.map((version) => world.store.insert(version)));
    });

    test('returns each record once, and the same pages backwards', async () => {
      const criteria = toCriteria(['_sort', sort]);
      const allIds = idsOf(await world.store.search(criteria, 100));
      expect([...allIds].sort()).toEqual(names);
      const pageIds: string[][] = [];
      let page = await world.store.search(criteria, 5);
      pageIds.push(idsOf(page));
      while (page.nextCursor) {
        page = await world.store.search({ ...criteria, cursor: page.nextCursor }, 5);
        expect(page.total).toBe(23);
        pageIds.push(idsOf(page));
      }
      expect(pageIds.flat()).toEqual(allIds);
      for (const expected of pageIds.slice(0, -1).reverse()) {
        page = await world.store.search(
          { ...criteria, ...(page.previousCursor && { cursor: page.previousCursor }) },
          5,
        );
        expect(idsOf(page)).toEqual(expected);
        expect(page.nextCursor).toBeDefined();
      }
      expect(page.previousCursor).toBeUndefined();
    });

    test.each(['p', ''])(
      'returns each record once despite concurrent writes (subject %j)',
      async (subject) => {
        const ids = await follow(sort, subject, async (page) => {
          await world.store.insert(next(`new-${page}`, 1, 'abc'.slice(page % 3)));
          // Seen and unseen records move at both ends of the order.
          for (const id of [names[page * 3], names[22 - page * 2], names[page]]) {
            const status = page % 2 ? 'preliminary' : 'final';
            if (id !== undefined) await change(id, 'zyxwvu'.slice(page % 6), { status });
          }
        });
        expect([...ids].sort()).toEqual(names);
      },
    );
  });

  test('reports the size of a page with a large text only', async () => {
    const { store } = world;
    const textOf = (characters: number) => `{"a":"${'x'.repeat(characters)}"}`;
    const sizes = async () => {
      const { largest: pageBytes } = await store.search(toCriteria(['title', 'same']), 200);
      const { largest: historyBytes } = await store.history('Composition', {}, 200);
      return [pageBytes, historyBytes];
    };
    await store.insert({ ...next('small', 1, 'Same'), text: textOf(10) });
    expect(await sizes()).toEqual([undefined, undefined]);
    await store.insert({ ...next('large', 1, 'Same'), text: textOf(100_000) });
    expect(await sizes()).toEqual([100_008, 100_008]);
  });

  test('returns the latest records first by default', async () => {
    await Promise.all(names.map((id) => world.store.insert(next(id, 1, 'same'))));
    expect(idsOf(await world.store.search(toCriteria(['status', 'final']), 100))).toEqual(
      [...names].reverse(),
    );
  });

  test('sorts a changed record by its latest title, status and date', async () => {
    const insert = (id: string, title: string, status: string, date: string) =>
      world.store.insert(next(id, 1, title, { status, members: { date } }));
    await insert('one', 'a', 'final', '2021');
    await insert('two', 'b', 'amended', '2022');
    await insert('three', 'c', 'final', '2023');
    await change('one', 'd', { status: 'preliminary', members: { date: '2024' } });
    for (const sort of ['title', 'status', 'date']) {
      const page = await world.store.search(toCriteria(['_sort', sort]), 9);
      expect([sort, ...idsOf(page)]).toEqual([sort, 'two', 'three', 'one']);
    }
  });

  test('reports if more records follow, and returns a reduced page if they do', async () => {
    for (const id of names.slice(0, 6)) await world.store.insert(next(id, 1, 'same'));
    const criteria = toCriteria(['_sort', '_id']);
    expect(await world.store.search(criteria, 6)).toMatchObject({ total: 6, hasMore: false });
    const page = await world.store.search(criteria, 5, undefined, 2);
    expect([page.total, page.hasMore, idsOf(page)]).toEqual([6, true, ['r-00', 'r-01']]);
    expect(await world.store.search({ ...criteria, withoutTotal: true }, 5)).toMatchObject({ hasMore: true });
  });

  test.each(['700', '1:2', 'x', '', "1' OR '1'='1"])(
    'rejects a snapshot of another store as a value: %j',
    async (snapshot) => {
      const ours = engine.name === 'SQLite' ? /^\d+$/ : /^\d+:\d+:/;
      if (ours.test(snapshot)) return;
      const cursor = { keys: ['x', 'y'], snapshot, backwards: false };
      const search = world.store.search({ ...toCriteria(['_sort', 'title']), cursor }, 5);
      await expect(search).rejects.toMatchObject({ kind: 'value' });
    },
  );

  test('reads histories newest first, page by page, despite concurrent writes', async () => {
    for (const id of ['one', 'two']) await world.store.insert(next(id, 1, id));
    for (const title of ['a', 'b', 'c']) await change('one', title);
    const fullHistory = await world.store.history('Composition', {}, 10);
    expect(Array.from(fullHistory.versions, ({ id, version }) => `${id}/${version}`)).toEqual([
      'one/4',
      'one/3',
      'one/2',
      'two/1',
      'one/1',
    ]);
    for (const query of [{}, { id: 'one' }]) {
      const allVersions = await world.store.history('Composition', query, 10);
      const versions = [];
      let expected = allVersions.total;
      let page = await world.store.history('Composition', query, 2);
      for (;;) {
        expect(page.total).toBe(expected);
        versions.push(...page.versions);
        if (!page.next) break;
        await change('one', `more ${versions.length}`);
        page = await world.store.history('Composition', { ...query, after: page.next, since: '2026' }, 2);
        expected += 1;
      }
      expect(versions).toEqual([...allVersions.versions]);
    }
    const since = [...fullHistory.versions][1]?.lastUpdated ?? '';
    const laterHistory = await world.store.history('Composition', { id: 'one', since }, 10);
    expect([...laterHistory.versions].at(-1)?.version).toBe(3);
  });

  test('rejects an unknown history position as a value', async () => {
    const history = world.store.history('Composition', { after: 'no place' }, 10);
    await expect(history).rejects.toMatchObject({ kind: 'value' });
  });

  test('lists the latest versions since an instant without their texts', async () => {
    for (const id of ['one', 'two', 'three']) await world.store.insert(next(id, 1, id));
    const [latest, middle] = await world.store.versionSummaries.newest('2026', 2);
    expect([latest?.id, middle?.id]).toEqual(['three', 'two']);
    const since = await world.store.versionSummaries.newest(middle?.lastUpdated ?? '', 10);
    expect(since.map(({ id, version, operation }) => [id, version, operation])).toEqual([
      ['three', 1, 'create'],
      ['two', 1, 'create'],
    ]);
  });
}
