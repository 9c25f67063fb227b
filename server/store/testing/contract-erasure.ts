import { expect, test } from 'vitest';
import { dayNumber } from '../../../core/app/days.ts';
import { readCompanion } from '../../../core/fhir/companion.ts';
import type { FindingKey } from '../../../core/app/findings.ts';
import type { Erasing } from '../store.ts';
import { asked, idsOf, issue, worldOf, type Engine } from './contract-store.ts';

const erasing = (id: string, more: Partial<Erasing> = {}): Erasing => ({
  ...{ type: 'Composition', id, who: 'Ada’s token', person: 'Ada', reason: 'Asked for.', requestId: 'r-1' },
  ...more,
});

/** What becomes of a record that is erased, and of all others. */
export function erasure(engine: Engine): void {
  const world = worldOf(engine);

  test('of an erased record nothing is left but its entries in the trail; others stay', async () => {
    const { store, next, change } = world;
    await store.insert({ ...next('one', 1, 'Quokka'), reason: 'It was seen.' });
    await change('one', 'Quokka again');
    await store.insert(next('other', 1, 'Quokka'));
    await store.insert(next('one', 1, 'Quokka plan', { type: 'CarePlan' }));
    expect(await store.erase([erasing('one'), erasing('none')])).toEqual(['Composition/one']);
    expect(await store.read('Composition', 'one')).toBeUndefined();
    expect(await store.readBytes('Composition', 'one')).toBeUndefined();
    expect(await store.readVersion('Composition', 'one', 1)).toBeUndefined();
    expect(await store.revision('Composition', 'one')).toBeUndefined();
    expect(await store.replace(next('one', 3, 'Quokka'), 2)).toBe('stale');
    expect(idsOf(await store.search(asked(['title', 'quokka']), 10))).toEqual(['other']);
    expect(await store.total(asked(['subject', 'Patient/p']))).toBe(1);
    expect((await store.history('Composition', {}, 10)).total).toBe(1);
    expect(await store.count()).toEqual({ CarePlan: 1, Composition: 1 });
    expect(await store.read('CarePlan', 'one')).toMatchObject({ version: 1 });

    const { entries } = await store.audit.page({}, undefined, 10);
    const told = entries.filter(({ what }) => /Composition\/(one|none)\b/.test(what));
    expect(told).toMatchObject([
      {
        ...{ action: 'erase', what: 'Composition/one: Asked for.', who: 'Ada’s token', person: 'Ada' },
        ...{ status: 201, requestId: 'r-1' },
      },
      { action: 'update', what: '/fhir-r4/v1/Composition/one' },
      { action: 'create', what: '/fhir-r4/v1/Composition/one' },
    ]);
    expect(told.map(({ reason }) => reason)).toEqual([undefined, undefined, undefined]);
    expect(await store.audit.verify()).not.toHaveProperty('broken');
  });

  test('a companion takes along what is about it, by its id and its address, and no more; each has its entry', async () => {
    const { store } = world;
    const url = 'https://clinic.example/fhir/Patient/theirs';
    const about = (reference: string) => `,"subject":{"reference":"${reference}"}`;
    for (const [type, id, more = '', fullUrl] of [
      ['Patient', 'p', '', url],
      ['Condition', 'by-id', about('Patient/p')],
      ['Goal', 'by-address', about(url)],
      ['Goal', 'of-another', about('Patient/q')],
      ['Goal', 'of-a-group', about('Group/p')],
      ['Patient', 'q'],
    ] as const) {
      const text = `{"resourceType":"${type}","id":"${id}"${more}}`;
      await store.companions.keep(readCompanion(type, text, fullUrl), { who: 'test', requestId: 'r' });
    }
    const before = await store.companions.stamp();
    const patient = erasing('p', { type: 'Patient' });
    const names = await store.erase([patient]);
    expect([...names].sort()).toEqual(['Condition/by-id', 'Goal/by-address', 'Patient/p']);
    expect(await store.companions.stamp()).not.toBe(before);
    expect(await store.erase([patient])).toEqual([]);
    expect(await store.companions.counts()).toEqual([
      { type: 'Goal', count: 2 },
      { type: 'Patient', count: 1 },
    ]);
    const { entries } = await store.audit.page({}, undefined, 10);
    const erased = entries.filter(({ action }) => action === 'erase').map(({ what }) => what);
    expect(erased.sort()).toEqual(names.map((name) => `${name}: Asked for.`).sort());
  });

  test('its findings end on the day, with what was said of them', async () => {
    const { store, next } = world;
    const found = [issue('ext-1', '/a'), issue('ext-1', '/b'), issue('cmp-1', '/c')];
    for (const id of ['one', 'other']) await store.insert(next(id, 1, 'First', { issues: found }));
    const key: FindingKey = { type: 'Composition', id: 'one', rule: 'ext-1', pointer: '/a' };
    const said = { set: 'waived', reason: 'It is known.' } as const;
    const doer = { who: 'test', requestId: 'r' };
    await store.findings.say([key], { said, doer, now: Date.UTC(2026, 0, 1) });
    await store.erase([erasing('one', { time: '2026-01-04T00:00:00.000Z' })]);
    const { flagged, states } = await store.issueCounts({ day: '2026-01-01' });
    expect([flagged.Composition, states]).toEqual([1, { open: 3, assigned: 0, waived: 0 }]);
    expect(await store.severities('Composition', ['one'])).toEqual([]);
    const begun = dayNumber(Date.UTC(2026, 0, 1));
    const changes = await store.findings.compare(begun, begun + 4, '2026-01-05');
    expect(changes.map(({ rule, resolved, persisting }) => [rule, resolved, persisting]).sort()).toEqual([
      ['cmp-1', 1, 1],
      ['ext-1', 2, 2],
    ]);
    // Erased again, it is none, and nothing is said of it.
    expect(await store.erase([erasing('one')])).toEqual([]);
    expect((await store.audit.page({ action: 'erase' }, undefined, 10)).entries).toHaveLength(1);
  });

  test('a page that began before goes on over the gap', async () => {
    const { store, next } = world;
    for (let at = 0; at < 6; at += 1) await store.insert(next(`r-${at}`, 1, 'Page'));
    const criteria = asked(['_sort', '_id']);
    const { next: cursor } = await store.search(criteria, 2);
    await store.erase([erasing('r-1'), erasing('r-3')]);
    const rest = await store.search({ ...criteria, ...(cursor && { cursor }) }, 10);
    expect(idsOf(rest)).toEqual(['r-2', 'r-4', 'r-5']);
  });
}
