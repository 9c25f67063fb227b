import { expect, test } from 'vitest';
import type { VersionName } from '../checksum.ts';
import { toCriteria, issue, worldOf, type Engine } from './contract-store.ts';

const name = (id: string, version: number): VersionName => ({ type: 'Composition', id, version });

const formatVersion = ({ id, version }: VersionName) => `${id} ${version}`;

/** Tests the handling of a text that differs from the written one. */
export function damage(engine: Engine): void {
  const world = worldOf(engine);

  /** Records the names of the texts that the store reports. */
  function collectNames(): VersionName[] {
    const names: VersionName[] = [];
    world.store.damage.onNoticed((name) => names.push(name));
    return names;
  }

  test('affects only its record and is reported by each read', async () => {
    const { store, next, change } = world;
    await store.insert(next('one', 1, 'First', { issues: [issue('ext-1', '/a')] }));
    await change('one', 'Second', { issues: [issue('ext-1', '/a')] });
    await store.insert(next('other', 1, 'Other'));
    await world.damage('one', 2);
    const reads = {
      read: () => store.read('Composition', 'one'),
      readBytes: () => store.readBytes('Composition', 'one'),
      readVersion: () => store.readVersion('Composition', 'one', 2),
      revision: async () => (await store.readForUpdate('Composition', 'one'))?.currentVersion,
      search: async () => [...(await store.search(toCriteria(['_sort', '-_id']), 10)).records][1],
      history: async () => [...(await store.history('Composition', {}, 10)).versions][1],
      conditional: async () =>
        [...(await store.insertUnlessMatched(next('two', 1, 'Two'), toCriteria(['_id', 'one']))).records][0],
    };
    for (const [method, readRecord] of Object.entries(reads)) {
      const names = collectNames();
      expect([method, await readRecord()]).toMatchObject([
        method,
        { id: 'one', version: 2, fault: { kind: 'damaged' } },
      ]);
      expect([method, new Set(names.map(formatVersion))]).toEqual([method, new Set(['one 2'])]);
    }
    const names = collectNames();
    expect(await store.issues({}, undefined, 10)).toMatchObject([{ id: 'one', version: 2 }]);
    expect(names.map(formatVersion)).toEqual(['one 2']);
    names.length = 0;
    expect(await store.read('Composition', 'other')).toHaveProperty('text');
    expect(await store.readVersion('Composition', 'one', 1)).toHaveProperty('text');
    expect(names).toEqual([]);
  });

  test('is found by a check of all texts, once each, in resumable steps', async () => {
    const { store, next, change } = world;
    const ids = Array.from({ length: 250 }, (_, index) => `r-${index}`);
    expect(await store.damage.lastPlace()).toBe(0);
    expect(await store.damage.look(0, Infinity)).toMatchObject({
      readCount: 0,
      damagedCount: 0,
      isFinished: true,
    });
    await Promise.all(ids.map((id) => store.insert(next(id, 1, 'First'))));
    await change('r-7', 'Second');
    await world.damage('r-7', 1);
    await world.damage('r-240', 1);
    const names = collectNames();
    const sum = { read: 0, found: 0, pieces: 0 };
    let position = 0;
    for (let isFinished = false; !isFinished; sum.pieces += 1) {
      const result = await store.damage.look(position, 0);
      expect(result.readCount === 0).toBe(result.place === position);
      ({ place: position, isFinished } = result);
      sum.read += result.readCount;
      sum.found += result.damagedCount;
    }
    expect(sum).toMatchObject({ read: 251, found: 2 });
    expect(sum.pieces).toBeGreaterThan(2);
    expect(position).toBe(await store.damage.lastPlace());
    expect(names.map(formatVersion).sort()).toEqual(['r-240 1', 'r-7 1']);
  });

  test('is of the current or an older version until the record is repaired or erased', async () => {
    const { store, next, change } = world;
    await store.insert(next('one', 1, 'First'));
    await change('one', 'Second');
    await store.insert(next('gone', 1, 'First'));
    for (const [id, version] of [
      ['one', 1],
      ['one', 2],
      ['gone', 1],
    ] as const)
      await world.damage(id, version);
    const names = [name('one', 1), name('one', 2), name('one', 3), name('gone', 1), name('none', 1)];
    expect(await store.damage.statesOf(names)).toEqual(['older', 'current', undefined, 'current', undefined]);
    await change('one', 'Third');
    await store.erase([{ type: 'Composition', id: 'gone', who: 'a', reason: 'r' }]);
    expect(await store.damage.statesOf(names)).toEqual(['older', 'older', undefined, undefined, undefined]);
    expect(await store.damage.statesOf([])).toEqual([]);
  });
}
