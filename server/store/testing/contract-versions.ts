import { describe, expect, test } from 'vitest';
import { toCriteria, idsOf, issue, worldOf, type Engine } from './contract-store.ts';

/** Tests versions, optimistic locking and conditional creates. */
export function versions(engine: Engine): void {
  const world = worldOf(engine);

  test.each([
    ['digits and exponents', '{"b":1.00,"a":1E2,"n":12345678901234567890.10,"z":-0.0}'],
    ['order, and a key that stands twice', '{"z":1,"a":2,"z":3}'],
    ['escapes as they were written', String.raw`{"e":"\u00e9 \/ \u0000 \ud800 é"}`],
    ['space', '{ "a" :\t[ 1 ,\r\n2 ] }'],
    ['characters of every plane', '{"a":"ä€😀\u2028"}'],
    ['a text of a megabyte', `{"a":"${'x'.repeat(1_000_000)}"}`],
  ])('returns a text byte for byte: %s', async (_name, text) => {
    const { store, next } = world;
    await store.insert({ ...next('one', 1, 'First'), text });
    expect(await store.read('Composition', 'one')).toMatchObject({ text });
    const bytes = await store.readBytes('Composition', 'one');
    expect(bytes && 'bytes' in bytes && bytes.bytes.equals(Buffer.from(text))).toBe(true);
    expect(await store.readVersion('Composition', 'one', 1)).toMatchObject({ text });
    const { records } = await store.search(toCriteria(['_id', 'one']), 10);
    expect(Array.from(records, (record) => 'bytes' in record && record.bytes.toString())).toEqual([text]);
    const { versions: historyVersions } = await store.history('Composition', {}, 10);
    expect([...historyVersions]).toMatchObject([{ text }]);
  });

  test('returns the latest version of a record, and each earlier one by number', async () => {
    const { store, next, change } = world;
    const firstVersion = next('one', 1, 'First');
    await store.insert({ ...firstVersion, person: 'Ada', reason: 'It was missing.' });
    await change('one', 'Second');
    expect(await store.read('Composition', 'one')).toMatchObject({ id: 'one', version: 2 });
    expect(await store.readVersion('Composition', 'one', 1)).toMatchObject({
      id: 'one',
      version: 1,
      text: firstVersion.text,
      lastUpdated: firstVersion.lastUpdated,
      operation: 'create',
      author: 'test',
      person: 'Ada',
      reason: 'It was missing.',
    });
    expect(await store.readVersion('Composition', 'one', 2)).not.toHaveProperty('reason');
    expect(await store.readVersion('Composition', 'one', 3)).toBeUndefined();
  });

  test('lists authors and reasons oldest first, for one record or all, page by page', async () => {
    const { store, next, change } = world;
    await store.insert({ ...next('one', 1, 'First'), person: 'Ada', reason: 'It was missing.' });
    await store.insert(next('two', 1, 'Other', { type: 'CarePlan' }));
    await change('one', 'Second');
    const listVersions = async (
      record: Parameters<typeof store.versionSummaries.listAuthorship>[0],
      limit: number,
    ) => {
      const names: string[] = [];
      for (let after = 0; ;) {
        const page = await store.versionSummaries.listAuthorship(record, after, limit);
        const lastVersion = page.at(-1);
        if (!lastVersion) return names;
        expect(page.length).toBeLessThanOrEqual(limit);
        names.push(...page.map(({ type, id, version }) => `${type}/${id}/${version}`));
        after = lastVersion.place;
      }
    };
    for (const limit of [1, 2, 10]) {
      expect(await listVersions(undefined, limit)).toEqual([
        'Composition/one/1',
        'CarePlan/two/1',
        'Composition/one/2',
      ]);
      expect(await listVersions({ type: 'Composition', id: 'one' }, limit)).toEqual([
        'Composition/one/1',
        'Composition/one/2',
      ]);
    }
    expect(await listVersions({ type: 'CarePlan', id: 'one' }, 10)).toEqual([]);
    const [firstVersion, secondVersion] = await store.versionSummaries.listAuthorship(
      { type: 'Composition', id: 'one' },
      0,
      10,
    );
    expect(firstVersion).toMatchObject({
      operation: 'create',
      author: 'test',
      person: 'Ada',
      reason: 'It was missing.',
    });
    expect(secondVersion).toMatchObject({ operation: 'update', author: 'test' });
    expect(secondVersion).not.toHaveProperty('reason');
  });

  test('reads no missing record and keeps types apart', async () => {
    const { store, next } = world;
    await store.insert(next('one', 1, 'First'));
    expect(await store.read('CarePlan', 'one')).toBeUndefined();
    expect(await store.readBytes('Composition', 'two')).toBeUndefined();
    expect(await store.readVersion('CarePlan', 'one', 1)).toBeUndefined();
    expect(await store.readForUpdate('CarePlan', 'one')).toBeUndefined();
    expect(await store.insert(next('one', 1, 'Plan', { type: 'CarePlan' }))).toBe('stored');
    expect(await store.count()).toEqual({ CarePlan: 1, Composition: 1 });
  });

  test('returns the current version, its issues and the next version number', async () => {
    const { store, next, change } = world;
    const [sectionIssue, otherIssue] = [issue('cmp-1', '/section/0'), issue('other', '')];
    await store.insert(next('one', 1, 'First', { issues: [sectionIssue, otherIssue] }));
    const firstNumber = await store.readFirstVersion();
    expect(firstNumber).toBe(1);
    expect(await store.readForUpdate('Composition', 'one')).toMatchObject({
      currentVersion: { version: 1 },
      issues: [sectionIssue, otherIssue],
      nextVersion: 2,
    });
    await change('one', 'Second', { issues: [otherIssue] });
    expect(await store.readForUpdate('Composition', 'one')).toMatchObject({
      currentVersion: { version: 2 },
      issues: [otherIssue],
      nextVersion: 3,
    });
  });

  test('changes nothing on a rejected write', async () => {
    const { store, next } = world;
    const issues = [issue('one', '/a')];
    const firstVersion = next('one', 1, 'First', { issues });
    await store.insert(firstVersion);
    const rejectedOptions = { issues: [issue('two', '/b')] };
    expect(await store.insert(next('one', 1, 'Other', rejectedOptions))).toBe('exists');
    expect(await store.replace(next('one', 3, 'Other', rejectedOptions), 2)).toBe('stale');
    expect(await store.replace(next('two', 2, 'Other', rejectedOptions), 1)).toBe('stale');
    expect(await store.total(toCriteria(['title', 'other']))).toBe(0);
    expect((await store.history('Composition', {}, 10)).total).toBe(1);
    expect(await store.readForUpdate('Composition', 'one')).toMatchObject({
      currentVersion: { text: firstVersion.text, version: 1 },
      issues,
    });
    expect((await store.audit.page({}, undefined, 10)).entries).toHaveLength(1);
  });

  test('stores one of several concurrent changes of the same version', async () => {
    const { store, next } = world;
    await store.insert(next('one', 1, '0'));
    let storedCount = 0;
    for (let version = 1; version <= 5; version += 1) {
      const results = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          store.replace(next('one', version + 1, `${version} ${index}`), version),
        ),
      );
      storedCount += results.filter((result) => result === 'stored').length;
      expect(results.filter((result) => result === 'stale')).toHaveLength(7);
    }
    expect(storedCount).toBe(5);
    expect((await store.history('Composition', { id: 'one' }, 10)).total).toBe(6);
  });

  test('stores one of several concurrent creates with the same id', async () => {
    const { store, next } = world;
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) => store.insert(next('one', 1, `title ${index}`))),
    );
    expect(results.sort()).toEqual([...Array<string>(7).fill('exists'), 'stored']);
    expect(await store.total(toCriteria(['title', 'title']))).toBe(1);
  });

  describe('a conditional create', () => {
    test('stores if nothing matches, and otherwise returns the first matches', async () => {
      const { store, next } = world;
      const criteria = toCriteria(['title', 'same']);
      expect(await store.insertUnlessMatched(next('one', 1, 'Same'), criteria)).toMatchObject({ total: 0 });
      const secondResult = await store.insertUnlessMatched(next('two', 1, 'Same'), criteria);
      expect([secondResult.total, idsOf(secondResult)]).toEqual([1, ['one']]);
      expect(await store.read('Composition', 'two')).toBeUndefined();
      await store.insert(next('three', 1, 'Same'));
      await store.insert(next('four', 1, 'Same'));
      expect(await store.insertUnlessMatched(next('five', 1, 'Same'), criteria)).toMatchObject({ total: 2 });
      expect(await store.count()).toMatchObject({ Composition: 3 });
    });

    test('stores once among concurrent conditional and plain creates', async () => {
      const { store, next } = world;
      for (let round = 0; round < 5; round += 1) {
        const criteria = toCriteria(['title:exact', `Round ${round}`]);
        await Promise.all(
          Array.from({ length: 8 }, (_, index) => [
            store.insertUnlessMatched(next(`c-${round}-${index}`, 1, `Round ${round}`), criteria),
            store.insert(next(`p-${round}-${index}`, 1, 'Plain')),
          ]).flat(),
        );
        expect(await store.total(criteria)).toBe(1);
      }
      expect(await store.total(toCriteria(['title', 'plain']))).toBe(40);
    });
  });
}
