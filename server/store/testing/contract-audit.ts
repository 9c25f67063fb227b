import { expect, test } from 'vitest';
import type { NewAuditEntry } from '../audit-rows.ts';
import { worldOf, type Engine } from './contract-store.ts';

function entry(what: string, more: Partial<NewAuditEntry> = {}): NewAuditEntry {
  return { time: 1, who: 'a', action: 'read', what, status: 200, requestId: 'r', ...more };
}

/** The audit trail: an entry for each write, and for what else was done; its chain. */
export function audit(engine: Engine): void {
  const world = worldOf(engine);
  const whats = async () =>
    (await world.store.audit.page({}, undefined, 1000)).entries
      .filter(({ action }) => action !== 'seal')
      .map(({ what }) => what);

  test('a write has its entry, with who, why and which versions; a refused one has none', async () => {
    const { store, next } = world;
    const first = { ...next('one', 1, 'First'), requestId: 'r-1' };
    await store.insert(first);
    await store.replace({ ...next('one', 2, 'Second'), person: 'Ada', reason: 'It was wrong.' }, 1);
    await store.replace(next('one', 2, 'Stale'), 1);
    const { entries } = await store.audit.page({}, undefined, 10);
    expect(entries.filter(({ action }) => action !== 'seal')).toMatchObject([
      {
        ...{ action: 'update', who: 'test', person: 'Ada', reason: 'It was wrong.', status: 0 },
        ...{ what: '/fhir-r4/v1/Composition/one', before: 1, after: 2, requestId: '' },
      },
      { action: 'create', after: 1, status: 201, requestId: 'r-1' },
    ]);
    expect(await store.audit.verify()).not.toHaveProperty('broken');
  });

  test('what was noted is there when it is asked for, and is told page by page', async () => {
    const { store } = world;
    for (let at = 0; at < 25; at += 1) store.audit.note(entry(String(at)));
    const seen: string[] = [];
    for (let before: number | undefined; ;) {
      const page = await store.audit.page({ action: 'read' }, before, 10);
      seen.push(...page.entries.map(({ what }) => what));
      if (page.next === undefined) break;
      before = page.next;
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, at) => String(24 - at)));
    const all: string[] = [];
    for await (const piece of store.audit.all()) all.push(...piece.map(({ what }) => what));
    expect(all.filter((what) => /^\d+$/.test(what))).toEqual([...seen].reverse());
  });

  test('what no engine keeps is sealed as it comes back', async () => {
    const { store } = world;
    store.audit.note(entry('a\0b', { who: 'c\0', person: 'd\ud800', requestId: 'e\0' }));
    const [kept] = (await store.audit.page({ action: 'read' }, undefined, 1)).entries;
    const told = { what: 'a\ufffdb', who: 'c\ufffd', person: 'd\ufffd', requestId: 'e\ufffd' };
    expect(kept).toMatchObject(told);
    expect(await store.audit.verify()).not.toHaveProperty('broken');
  });

  test('filters narrow, and the actions are counted', async () => {
    const { store, next } = world;
    await store.insert(next('one', 1, 'First'));
    store.audit.note(entry('/secret', { who: 'Eve', status: 403, time: Date.UTC(2026, 5, 1) }));
    store.audit.note(entry('/100%_done', { person: 'Ada', action: 'search' }));
    const found = async (filter: Parameters<typeof store.audit.page>[0]) =>
      (await store.audit.page(filter, undefined, 10)).entries.map(({ what }) => what);
    expect(await found({ text: 'EVE' })).toEqual(['/secret']);
    expect(await found({ text: 'ada' })).toEqual(['/100%_done']);
    expect(await found({ text: '0%_' })).toEqual(['/100%_done']);
    expect(await found({ text: '0%d' })).toEqual([]);
    expect(await found({ action: 'search' })).toEqual(['/100%_done']);
    expect(await found({ outcome: 'refused' })).toEqual(['/secret']);
    expect(await found({ changes: true })).toEqual(['/fhir-r4/v1/Composition/one']);
    expect(await found({ action: 'read', since: '2026-05-01T00:00:00Z' })).toEqual(['/secret']);
    const { actions } = await store.audit.actions({});
    const counted = actions.filter(({ action }) => action !== 'seal');
    expect(counted.sort((one, other) => one.action.localeCompare(other.action))).toEqual([
      { action: 'create', entries: 1 },
      { action: 'read', entries: 1 },
      { action: 'search', entries: 1 },
    ]);
  });

  test('the chain is whole behind many writes at once, more than one seal covers', async () => {
    const { store, next } = world;
    for (let at = 0; at < 120; at += 1) store.audit.note(entry(String(at)));
    await Promise.all(Array.from({ length: 20 }, (_, at) => store.insert(next(`r-${at}`, 1, 'Many'))));
    await store.audit.flush();
    expect((await whats()).length).toBe(140);
    const { entries, broken } = await store.audit.verify();
    expect(broken).toBeUndefined();
    expect(entries).toBeGreaterThanOrEqual(140);
  });

  test('texts of any kind are sealed as they come back; one as long as a body is cut', async () => {
    const { store } = world;
    const odd = ['', 'ä€😀', 'a\u0000b', '\ud800', '"\\\u2028', 'x'.repeat(9000)];
    for (const what of odd) store.audit.note(entry(what, { who: what }));
    expect((await whats())[0]).toHaveLength(4097);
    expect(await store.audit.verify()).not.toHaveProperty('broken');
  });
}
