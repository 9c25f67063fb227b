import { describe, expect, test } from 'vitest';
import { asked, idsOf, issue, worldOf, type Engine } from './contract-store.ts';

/** Versions, optimistic locking, conditional create. */
export function versions(engine: Engine): void {
  const world = worldOf(engine);

  test.each([
    ['digits and exponents', '{"b":1.00,"a":1E2,"n":12345678901234567890.10,"z":-0.0}'],
    ['order, and a key that stands twice', '{"z":1,"a":2,"z":3}'],
    ['escapes as they were written', String.raw`{"e":"\u00e9 \/ \u0000 \ud800 é"}`],
    ['space', '{ "a" :\t[ 1 ,\r\n2 ] }'],
    ['characters of every plane', '{"a":"ä€😀\u2028"}'],
    ['a text of a megabyte', `{"a":"${'x'.repeat(1_000_000)}"}`],
  ])('a text comes back byte for byte: %s', async (_name, text) => {
    const { store, next } = world;
    await store.insert({ ...next('one', 1, 'First'), text });
    expect(await store.read('Composition', 'one')).toMatchObject({ text });
    const bytes = await store.readBytes('Composition', 'one');
    expect(bytes && 'bytes' in bytes && bytes.bytes.equals(Buffer.from(text))).toBe(true);
    expect(await store.readVersion('Composition', 'one', 1)).toMatchObject({ text });
    const { records } = await store.search(asked(['_id', 'one']), 10);
    expect(Array.from(records, (one) => 'bytes' in one && one.bytes.toString())).toEqual([text]);
    const { versions: all } = await store.history('Composition', {}, 10);
    expect([...all]).toMatchObject([{ text }]);
  });

  test('a record has the version that was stored last, and each before it is read by its number', async () => {
    const { store, next, change } = world;
    const first = next('one', 1, 'First');
    await store.insert({ ...first, person: 'Ada', reason: 'It was missing.' });
    await change('one', 'Second');
    expect(await store.read('Composition', 'one')).toMatchObject({ id: 'one', version: 2 });
    expect(await store.readVersion('Composition', 'one', 1)).toMatchObject({
      ...{ id: 'one', version: 1, text: first.text, lastUpdated: first.lastUpdated },
      ...{ operation: 'create', author: 'test', person: 'Ada', reason: 'It was missing.' },
    });
    expect(await store.readVersion('Composition', 'one', 2)).not.toHaveProperty('reason');
    expect(await store.readVersion('Composition', 'one', 3)).toBeUndefined();
  });

  test('who wrote each version and why is told oldest first, of a record or of all, page by page', async () => {
    const { store, next, change } = world;
    await store.insert({ ...next('one', 1, 'First'), person: 'Ada', reason: 'It was missing.' });
    await store.insert(next('two', 1, 'Other', { type: 'CarePlan' }));
    await change('one', 'Second');
    const told = async (record: Parameters<typeof store.heads.proven>[0], limit: number) => {
      const all: string[] = [];
      for (let after = 0; ;) {
        const page = await store.heads.proven(record, after, limit);
        const last = page.at(-1);
        if (!last) return all;
        expect(page.length).toBeLessThanOrEqual(limit);
        all.push(...page.map(({ type, id, version }) => `${type}/${id}/${version}`));
        after = last.place;
      }
    };
    for (const limit of [1, 2, 10]) {
      expect(await told(undefined, limit)).toEqual([
        'Composition/one/1',
        'CarePlan/two/1',
        'Composition/one/2',
      ]);
      expect(await told({ type: 'Composition', id: 'one' }, limit)).toEqual([
        'Composition/one/1',
        'Composition/one/2',
      ]);
    }
    expect(await told({ type: 'CarePlan', id: 'one' }, 10)).toEqual([]);
    const [first, second] = await store.heads.proven({ type: 'Composition', id: 'one' }, 0, 10);
    expect(first).toMatchObject({
      operation: 'create',
      author: 'test',
      person: 'Ada',
      reason: 'It was missing.',
    });
    expect(second).toMatchObject({ operation: 'update', author: 'test' });
    expect(second).not.toHaveProperty('reason');
  });

  test('what is not there is not read, and another type is another record', async () => {
    const { store, next } = world;
    await store.insert(next('one', 1, 'First'));
    expect(await store.read('CarePlan', 'one')).toBeUndefined();
    expect(await store.readBytes('Composition', 'two')).toBeUndefined();
    expect(await store.readVersion('CarePlan', 'one', 1)).toBeUndefined();
    expect(await store.revision('CarePlan', 'one')).toBeUndefined();
    expect(await store.insert(next('one', 1, 'Plan', { type: 'CarePlan' }))).toBe('stored');
    expect(await store.count()).toEqual({ CarePlan: 1, Composition: 1 });
  });

  test('a change meets the current version, what is wrong with it, and the number of the next', async () => {
    const { store, next, change } = world;
    const [one, other] = [issue('cmp-1', '/section/0'), issue('other', '')];
    await store.insert(next('one', 1, 'First', { issues: [one, other] }));
    const first = await store.firstNumber();
    expect(first).toBe(1);
    expect(await store.revision('Composition', 'one')).toMatchObject({
      ...{ standing: { version: 1 }, issues: [one, other], next: 2 },
    });
    await change('one', 'Second', { issues: [other] });
    expect(await store.revision('Composition', 'one')).toMatchObject({
      ...{ standing: { version: 2 }, issues: [other], next: 3 },
    });
  });

  test('a write that is refused leaves all as it was', async () => {
    const { store, next } = world;
    const found = [issue('one', '/a')];
    const first = next('one', 1, 'First', { issues: found });
    await store.insert(first);
    const refused = { issues: [issue('two', '/b')] };
    expect(await store.insert(next('one', 1, 'Other', refused))).toBe('exists');
    expect(await store.replace(next('one', 3, 'Other', refused), 2)).toBe('stale');
    expect(await store.replace(next('two', 2, 'Other', refused), 1)).toBe('stale');
    expect(await store.total(asked(['title', 'other']))).toBe(0);
    expect((await store.history('Composition', {}, 10)).total).toBe(1);
    expect(await store.revision('Composition', 'one')).toMatchObject({
      ...{ standing: { text: first.text, version: 1 }, issues: found },
    });
    expect((await store.audit.page({}, undefined, 10)).entries).toHaveLength(1);
  });

  test('of changes that know the same version one is stored, however many come at once', async () => {
    const { store, next } = world;
    await store.insert(next('one', 1, '0'));
    let stored = 0;
    for (let version = 1; version <= 5; version += 1) {
      const results = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          store.replace(next('one', version + 1, `${version} ${at}`), version),
        ),
      );
      stored += results.filter((result) => result === 'stored').length;
      expect(results.filter((result) => result === 'stale')).toHaveLength(7);
    }
    expect(stored).toBe(5);
    expect((await store.history('Composition', { id: 'one' }, 10)).total).toBe(6);
  });

  test('of creates with the same id one is stored', async () => {
    const { store, next } = world;
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, at) => store.insert(next('one', 1, `title ${at}`))),
    );
    expect(results.sort()).toEqual([...Array<string>(7).fill('exists'), 'stored']);
    expect(await store.total(asked(['title', 'title']))).toBe(1);
  });

  describe('a conditional create', () => {
    test('stores where nothing matches, and answers the first matches where something does', async () => {
      const { store, next } = world;
      const criteria = asked(['title', 'same']);
      expect(await store.insertUnless(next('one', 1, 'Same'), criteria)).toMatchObject({ total: 0 });
      const again = await store.insertUnless(next('two', 1, 'Same'), criteria);
      expect([again.total, idsOf(again)]).toEqual([1, ['one']]);
      expect(await store.read('Composition', 'two')).toBeUndefined();
      await store.insert(next('three', 1, 'Same'));
      await store.insert(next('four', 1, 'Same'));
      expect(await store.insertUnless(next('five', 1, 'Same'), criteria)).toMatchObject({ total: 2 });
      expect(await store.count()).toMatchObject({ Composition: 3 });
    });

    test('stores once, however many come at once, beside creates that ask for nothing', async () => {
      const { store, next } = world;
      for (let round = 0; round < 5; round += 1) {
        const criteria = asked(['title:exact', `Round ${round}`]);
        await Promise.all(
          Array.from({ length: 8 }, (_, at) => [
            store.insertUnless(next(`c-${round}-${at}`, 1, `Round ${round}`), criteria),
            store.insert(next(`p-${round}-${at}`, 1, 'Plain')),
          ]).flat(),
        );
        expect(await store.total(criteria)).toBe(1);
      }
      expect(await store.total(asked(['title', 'plain']))).toBe(40);
    });
  });
}
