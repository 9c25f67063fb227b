import { beforeEach, describe, expect, test } from 'vitest';
import { asked, idsOf, worldOf, type Engine } from './contract-store.ts';

const names = Array.from({ length: 23 }, (_, index) => `r-${String(index).padStart(2, '0')}`);

/** An instant, a date and two texts, both ways; the long tests have all that there are. */
const sorts = [
  ...['-_lastUpdated', 'date', 'status,-title'],
  ...(process.env.LONG_TESTS === undefined
    ? []
    : ['_lastUpdated', '-_id', '_id', '-date', 'status', '-title', 'title', 'title,-_lastUpdated']),
];

/** Paging as of a snapshot; histories. */
export function pages(engine: Engine): void {
  const world = worldOf(engine);
  const { next, change } = world;

  /** Follows `next` to the end, and lets others write between the pages. */
  async function follow(sort: string, subject: string, meanwhile: (page: number) => Promise<void>) {
    const base = asked(...(subject === '' ? [] : [['subject', subject] as const]), ['_sort', sort]);
    const seen: string[] = [];
    let page = await world.store.search(base, 4);
    for (let count = 0; ; count += 1) {
      seen.push(...idsOf(page));
      if (!page.next) return seen;
      await meanwhile(count);
      page = await world.store.search({ ...base, cursor: page.next }, 4);
    }
  }

  describe.each(sorts)('by %s', (sort) => {
    beforeEach(async () => {
      const versions = names.map((id, index) =>
        next(id, 1, 'abcdefg'.slice(index % 7), { status: index % 2 ? 'final' : 'amended' }),
      );
      await Promise.all(versions.map((one) => world.store.insert(one)));
    });

    test('each record is there once, and the way back is the way there', async () => {
      const criteria = asked(['_sort', sort]);
      const all = idsOf(await world.store.search(criteria, 100));
      expect([...all].sort()).toEqual(names);
      const seen: string[][] = [];
      let page = await world.store.search(criteria, 5);
      seen.push(idsOf(page));
      while (page.next) {
        page = await world.store.search({ ...criteria, cursor: page.next }, 5);
        expect(page.total).toBe(23);
        seen.push(idsOf(page));
      }
      expect(seen.flat()).toEqual(all);
      for (const expected of seen.slice(0, -1).reverse()) {
        page = await world.store.search({ ...criteria, ...(page.previous && { cursor: page.previous }) }, 5);
        expect(idsOf(page)).toEqual(expected);
        expect(page.next).toBeDefined();
      }
      expect(page.previous).toBeUndefined();
    });

    test.each(['p', ''])('each record is there once while others write (subject %j)', async (subject) => {
      const seen = await follow(sort, subject, async (page) => {
        await world.store.insert(next(`new-${page}`, 1, 'abc'.slice(page % 3)));
        // Both ends of the order move: records that were seen and records that were not.
        for (const id of [names[page * 3], names[22 - page * 2], names[page]]) {
          const status = page % 2 ? 'preliminary' : 'final';
          if (id !== undefined) await change(id, 'zyxwvu'.slice(page % 6), { status });
        }
      });
      expect([...seen].sort()).toEqual(names);
    });
  });

  test('a page with a large text says how large it is, and a small one nothing', async () => {
    const { store } = world;
    const textOf = (characters: number) => `{"a":"${'x'.repeat(characters)}"}`;
    const sizes = async () => {
      const { largest: found } = await store.search(asked(['title', 'same']), 200);
      const { largest: past } = await store.history('Composition', {}, 200);
      return [found, past];
    };
    await store.insert({ ...next('small', 1, 'Same'), text: textOf(10) });
    expect(await sizes()).toEqual([undefined, undefined]);
    await store.insert({ ...next('large', 1, 'Same'), text: textOf(100_000) });
    expect(await sizes()).toEqual([100_008, 100_008]);
  });

  test('the newest come first', async () => {
    await Promise.all(names.map((id) => world.store.insert(next(id, 1, 'same'))));
    expect(idsOf(await world.store.search(asked(['status', 'final']), 100))).toEqual([...names].reverse());
  });

  test('a page says whether others follow, and shows fewer where more match than are asked for', async () => {
    for (const id of names.slice(0, 6)) await world.store.insert(next(id, 1, 'same'));
    const criteria = asked(['_sort', '_id']);
    expect(await world.store.search(criteria, 6)).toMatchObject({ total: 6, more: false });
    const page = await world.store.search(criteria, 5, undefined, 2);
    expect([page.total, page.more, idsOf(page)]).toEqual([6, true, ['r-00', 'r-01']]);
    expect(await world.store.search({ ...criteria, withoutTotal: true }, 5)).toMatchObject({ more: true });
  });

  test.each(['700', '1:2', 'x', '', "1' OR '1'='1"])(
    'a snapshot that no store like this one made is refused as a value: %j',
    async (snapshot) => {
      const ours = engine.name === 'SQLite' ? /^\d+$/ : /^\d+:\d+:/;
      if (ours.test(snapshot)) return;
      const cursor = { keys: ['x', 'y'], snapshot, backwards: false };
      const search = world.store.search({ ...asked(['_sort', 'title']), cursor }, 5);
      await expect(search).rejects.toMatchObject({ kind: 'value' });
    },
  );

  test('histories are read newest first, page by page, whatever is written meanwhile', async () => {
    for (const id of ['one', 'two']) await world.store.insert(next(id, 1, id));
    for (const title of ['a', 'b', 'c']) await change('one', title);
    const whole = await world.store.history('Composition', {}, 10);
    expect(Array.from(whole.versions, ({ id, version }) => `${id}/${version}`)).toEqual([
      ...['one/4', 'one/3', 'one/2', 'two/1', 'one/1'],
    ]);
    for (const query of [{}, { id: 'one' }]) {
      const all = await world.store.history('Composition', query, 10);
      const seen = [];
      let expected = all.total;
      let page = await world.store.history('Composition', query, 2);
      for (;;) {
        expect(page.total).toBe(expected);
        seen.push(...page.versions);
        if (!page.next) break;
        await change('one', `more ${seen.length}`);
        page = await world.store.history('Composition', { ...query, after: page.next, since: '2026' }, 2);
        expected += 1;
      }
      expect(seen).toEqual([...all.versions]);
    }
    const since = [...whole.versions][1]?.lastUpdated ?? '';
    const later = await world.store.history('Composition', { id: 'one', since }, 10);
    expect([...later.versions].at(-1)?.version).toBe(3);
  });

  test('a place in a history that no store like this one made is refused as a value', async () => {
    const history = world.store.history('Composition', { after: 'no place' }, 10);
    await expect(history).rejects.toMatchObject({ kind: 'value' });
  });

  test('the newest versions without their texts, since an instant', async () => {
    for (const id of ['one', 'two', 'three']) await world.store.insert(next(id, 1, id));
    const [last, middle] = await world.store.heads.newest('2026', 2);
    expect([last?.id, middle?.id]).toEqual(['three', 'two']);
    const since = await world.store.heads.newest(middle?.lastUpdated ?? '', 10);
    expect(since.map(({ id, version, operation }) => [id, version, operation])).toEqual([
      ...[
        ['three', 1, 'create'],
        ['two', 1, 'create'],
      ],
    ]);
  });
}
