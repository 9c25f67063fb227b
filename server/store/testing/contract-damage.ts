import { expect, test } from 'vitest';
import type { VersionName } from '../checksum.ts';
import { asked, issue, worldOf, type Engine } from './contract-store.ts';

const name = (id: string, version: number): VersionName => ({ type: 'Composition', id, version });

const said = ({ id, version }: VersionName) => `${id} ${version}`;

/** What becomes of a text that is not the one that was written. */
export function damage(engine: Engine): void {
  const world = worldOf(engine);

  /** Whom the store tells of. */
  function told(): VersionName[] {
    const names: VersionName[] = [];
    world.store.damage.onNoticed((one) => names.push(one));
    return names;
  }

  test('costs its record alone, and is told by whoever reads it', async () => {
    const { store, next, change } = world;
    await store.insert(next('one', 1, 'First', { issues: [issue('ext-1', '/a')] }));
    await change('one', 'Second', { issues: [issue('ext-1', '/a')] });
    await store.insert(next('other', 1, 'Other'));
    await world.damage('one', 2);
    const reads = {
      read: () => store.read('Composition', 'one'),
      readBytes: () => store.readBytes('Composition', 'one'),
      readVersion: () => store.readVersion('Composition', 'one', 2),
      revision: async () => (await store.revision('Composition', 'one'))?.standing,
      search: async () => [...(await store.search(asked(['_sort', '-_id']), 10)).records][1],
      history: async () => [...(await store.history('Composition', {}, 10)).versions][1],
      conditional: async () =>
        [...(await store.insertUnless(next('two', 1, 'Two'), asked(['_id', 'one']))).records][0],
    };
    for (const [way, read] of Object.entries(reads)) {
      const names = told();
      expect([way, await read()]).toMatchObject([way, { id: 'one', version: 2, fault: { kind: 'damaged' } }]);
      expect([way, new Set(names.map(said))]).toEqual([way, new Set(['one 2'])]);
    }
    const names = told();
    expect(await store.issues({}, undefined, 10)).toMatchObject([{ id: 'one', version: 2 }]);
    expect(names.map(said)).toEqual(['one 2']);
    names.length = 0;
    expect(await store.read('Composition', 'other')).toHaveProperty('text');
    expect(await store.readVersion('Composition', 'one', 1)).toHaveProperty('text');
    expect(names).toEqual([]);
  });

  test('is found where all texts are read, each once, in pieces that go on where the last ended', async () => {
    const { store, next, change } = world;
    const ids = Array.from({ length: 250 }, (_, at) => `r-${at}`);
    expect(await store.damage.lastPlace()).toBe(0);
    expect(await store.damage.look(0, Infinity)).toMatchObject({ read: 0, found: 0, ended: true });
    await Promise.all(ids.map((id) => store.insert(next(id, 1, 'First'))));
    await change('r-7', 'Second');
    await world.damage('r-7', 1);
    await world.damage('r-240', 1);
    const names = told();
    const sum = { read: 0, found: 0, pieces: 0 };
    let place = 0;
    for (let ended = false; !ended; sum.pieces += 1) {
      const looked = await store.damage.look(place, 0);
      expect(looked.read === 0).toBe(looked.place === place);
      ({ place, ended } = looked);
      sum.read += looked.read;
      sum.found += looked.found;
    }
    expect(sum).toMatchObject({ read: 251, found: 2 });
    expect(sum.pieces).toBeGreaterThan(2);
    expect(place).toBe(await store.damage.lastPlace());
    expect(names.map(said).sort()).toEqual(['r-240 1', 'r-7 1']);
  });

  test('is of the current version, or an older one, until the record is whole again or gone', async () => {
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
    const all = [name('one', 1), name('one', 2), name('one', 3), name('gone', 1), name('none', 1)];
    expect(await store.damage.statesOf(all)).toEqual(['older', 'current', undefined, 'current', undefined]);
    await change('one', 'Third');
    await store.erase([{ type: 'Composition', id: 'gone', who: 'a', reason: 'r' }]);
    expect(await store.damage.statesOf(all)).toEqual(['older', 'older', undefined, undefined, undefined]);
    expect(await store.damage.statesOf([])).toEqual([]);
  });
}
