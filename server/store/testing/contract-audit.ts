import { expect, test } from 'vitest';
import type { NewAuditEntry } from '../audit-chain.ts';
import { worldOf, type Engine } from './contract-store.ts';

function entry(target: string, overrides: Partial<NewAuditEntry> = {}): NewAuditEntry {
  return { time: 1, who: 'a', action: 'read', what: target, status: 200, requestId: 'r', ...overrides };
}

/** Tests the audit log: entries of writes and other actions, and the chain. */
export function audit(engine: Engine): void {
  const world = worldOf(engine);
  const listTargets = async () =>
    (await world.store.audit.page({}, undefined, 1000)).entries
      .filter(({ action }) => action !== 'seal')
      .map(({ what: target }) => target);

  test('audits each stored write with actor, reason and versions, and no rejected one', async () => {
    const { store, next } = world;
    const firstVersion = { ...next('one', 1, 'First'), requestId: 'r-1' };
    await store.insert(firstVersion);
    await store.replace({ ...next('one', 2, 'Second'), person: 'Ada', reason: 'It was wrong.' }, 1);
    await store.replace(next('one', 2, 'Stale'), 1);
    const { entries } = await store.audit.page({}, undefined, 10);
    expect(entries.filter(({ action }) => action !== 'seal')).toMatchObject([
      {
        action: 'update',
        who: 'test',
        person: 'Ada',
        reason: 'It was wrong.',
        status: 0,
        what: '/fhir-r4/v1/Composition/one',
        before: 1,
        after: 2,
        requestId: '',
      },
      { action: 'create', after: 1, status: 201, requestId: 'r-1' },
    ]);
    expect(await store.audit.verify()).not.toHaveProperty('broken');
  });

  test('returns recorded entries page by page', async () => {
    const { store } = world;
    for (let index = 0; index < 25; index += 1) store.audit.note(entry(String(index)));
    const targets: string[] = [];
    for (let before: number | undefined; ;) {
      const page = await store.audit.page({ action: 'read' }, before, 10);
      targets.push(...page.entries.map(({ what: target }) => target));
      if (page.next === undefined) break;
      before = page.next;
    }
    expect(targets).toEqual(Array.from({ length: 25 }, (_, index) => String(24 - index)));
    const allTargets: string[] = [];
    for await (const piece of store.audit.readEntries())
      allTargets.push(...piece.map(({ what: target }) => target));
    expect(allTargets.filter((target) => /^\d+$/.test(target))).toEqual([...targets].reverse());
  });

  test('seals characters that an engine cannot store in their replaced form', async () => {
    const { store } = world;
    store.audit.note(entry('a\0b', { who: 'c\0', person: 'd\ud800', requestId: 'e\0' }));
    const [storedEntry] = (await store.audit.page({ action: 'read' }, undefined, 1)).entries;
    const expectedEntry = { what: 'a\ufffdb', who: 'c\ufffd', person: 'd\ufffd', requestId: 'e\ufffd' };
    expect(storedEntry).toMatchObject(expectedEntry);
    expect(await store.audit.verify()).not.toHaveProperty('broken');
  });

  test('filters entries and counts actions', async () => {
    const { store, next } = world;
    await store.insert(next('one', 1, 'First'));
    store.audit.note(entry('/secret', { who: 'Eve', status: 403, time: Date.UTC(2026, 5, 1) }));
    store.audit.note(entry('/100%_done', { person: 'Ada', action: 'search' }));
    const listTargetsOf = async (filter: Parameters<typeof store.audit.page>[0]) =>
      (await store.audit.page(filter, undefined, 10)).entries.map(({ what: target }) => target);
    expect(await listTargetsOf({ text: 'EVE' })).toEqual(['/secret']);
    expect(await listTargetsOf({ text: 'ada' })).toEqual(['/100%_done']);
    expect(await listTargetsOf({ text: '0%_' })).toEqual(['/100%_done']);
    expect(await listTargetsOf({ text: '0%d' })).toEqual([]);
    expect(await listTargetsOf({ action: 'search' })).toEqual(['/100%_done']);
    expect(await listTargetsOf({ outcome: 'refused' })).toEqual(['/secret']);
    expect(await listTargetsOf({ changes: true })).toEqual(['/fhir-r4/v1/Composition/one']);
    expect(await listTargetsOf({ action: 'read', since: '2026-05-01T00:00:00Z' })).toEqual(['/secret']);
    const { actions } = await store.audit.actions({});
    const counts = actions.filter(({ action }) => action !== 'seal');
    expect(counts.sort((item, right) => item.action.localeCompare(right.action))).toEqual([
      { action: 'create', entries: 1 },
      { action: 'read', entries: 1 },
      { action: 'search', entries: 1 },
    ]);
  });

  test('keeps the chain intact after many concurrent writes and several seals', async () => {
    const { store, next } = world;
    for (let index = 0; index < 120; index += 1) store.audit.note(entry(String(index)));
    await Promise.all(Array.from({ length: 20 }, (_, index) => store.insert(next(`r-${index}`, 1, 'Many'))));
    await store.audit.flush();
    expect((await listTargets()).length).toBe(140);
    const { entries, broken: brokenEntry } = await store.audit.verify();
    expect(brokenEntry).toBeUndefined();
    expect(entries).toBeGreaterThanOrEqual(140);
  });

  test('seals texts of any kind and truncates very long ones', async () => {
    const { store } = world;
    const odd = ['', 'ä€😀', 'a\u0000b', '\ud800', '"\\\u2028', 'x'.repeat(9000)];
    for (const text of odd) store.audit.note(entry(text, { who: text }));
    expect((await listTargets())[0]).toHaveLength(4097);
    expect(await store.audit.verify()).not.toHaveProperty('broken');
  });
}
