import { expect, test } from 'vitest';
import { dayNumber } from '../../../core/types/definition/dates.ts';
import { readSupportingResource } from '../../../core/fhir/supporting-resource.ts';
import type { FindingKey } from '../../../core/app/findings.ts';
import type { ErasureRequest } from '../store.ts';
import { toCriteria, idsOf, issue, worldOf, type Engine } from './contract-store.ts';

const createErasing = (id: string, overrides: Partial<ErasureRequest> = {}): ErasureRequest => ({
  type: 'Composition',
  id,
  who: 'Ada’s token',
  person: 'Ada',
  reason: 'Asked for.',
  requestId: 'r-1',
  ...overrides,
});

/** Tests that an erasure removes a record and keeps all others. */
export function erasure(engine: Engine): void {
  const world = worldOf(engine);

  test('removes everything of a record except its audit entries', async () => {
    const { store, next, change } = world;
    await store.insert({ ...next('one', 1, 'Quokka'), reason: 'It was seen.' });
    await change('one', 'Quokka again');
    await store.insert(next('other', 1, 'Quokka'));
    await store.insert(next('one', 1, 'Quokka plan', { type: 'CarePlan' }));
    expect(await store.erase([createErasing('one'), createErasing('none')])).toEqual(['Composition/one']);
    expect(await store.read('Composition', 'one')).toBeUndefined();
    expect(await store.readBytes('Composition', 'one')).toBeUndefined();
    expect(await store.readVersion('Composition', 'one', 1)).toBeUndefined();
    expect(await store.readForUpdate('Composition', 'one')).toBeUndefined();
    expect(await store.replace(next('one', 3, 'Quokka'), 2)).toBe('stale');
    expect(idsOf(await store.search(toCriteria(['title', 'quokka']), 10))).toEqual(['other']);
    expect(await store.total(toCriteria(['subject', 'Patient/p']))).toBe(1);
    expect((await store.history('Composition', {}, 10)).total).toBe(1);
    expect(await store.count()).toEqual({ CarePlan: 1, Composition: 1 });
    expect(await store.read('CarePlan', 'one')).toMatchObject({ version: 1 });

    const { entries } = await store.audit.page({}, undefined, 10);
    const auditEntries = entries.filter(({ what: target }) => /Composition\/(one|none)\b/.test(target));
    expect(auditEntries).toMatchObject([
      {
        action: 'erase',
        what: 'Composition/one: Asked for.',
        who: 'Ada’s token',
        person: 'Ada',
        status: 201,
        requestId: 'r-1',
      },
      { action: 'update', what: '/fhir-r4/v1/Composition/one' },
      { action: 'create', what: '/fhir-r4/v1/Composition/one' },
    ]);
    expect(auditEntries.map(({ reason }) => reason)).toEqual([undefined, undefined, undefined]);
    expect(await store.audit.verify()).not.toHaveProperty('broken');
  });

  test('removes a supporting resource and those about it, with an audit entry each', async () => {
    const { store } = world;
    const url = 'https://clinic.example/fhir/Patient/theirs';
    const createSubject = (reference: string) => `,"subject":{"reference":"${reference}"}`;
    for (const [type, id, moreMembers = '', fullUrl] of [
      ['Patient', 'p', '', url],
      ['Condition', 'by-id', createSubject('Patient/p')],
      ['Goal', 'by-address', createSubject(url)],
      ['Goal', 'of-another', createSubject('Patient/q')],
      ['Goal', 'of-a-group', createSubject('Group/p')],
      ['Patient', 'q'],
    ] as const) {
      const text = `{"resourceType":"${type}","id":"${id}"${moreMembers}}`;
      await store.supportingResources.store(readSupportingResource(type, text, fullUrl), 'batch:1', {
        who: 'test',
        requestId: 'r',
      });
    }
    const before = await store.supportingResources.getFingerprint();
    const patient = createErasing('p', { type: 'Patient' });
    const names = await store.erase([patient]);
    expect([...names].sort()).toEqual(['Condition/by-id', 'Goal/by-address', 'Patient/p']);
    expect(await store.supportingResources.getFingerprint()).not.toBe(before);
    expect(await store.erase([patient])).toEqual([]);
    expect(await store.supportingResources.countByType()).toEqual([
      { type: 'Goal', count: 2 },
      { type: 'Patient', count: 1 },
    ]);
    const { entries } = await store.audit.page({}, undefined, 10);
    const erasedTargets = entries
      .filter(({ action }) => action === 'erase')
      .map(({ what: target }) => target);
    expect(erasedTargets.sort()).toEqual(names.map((name) => `${name}: Asked for.`).sort());
  });

  test('closes the findings of the record on that day and removes their states', async () => {
    const { store, next } = world;
    const issues = [issue('ext-1', '/a'), issue('ext-1', '/b'), issue('cmp-1', '/c')];
    for (const id of ['one', 'other']) await store.insert(next(id, 1, 'First', { issues }));
    const key: FindingKey = { type: 'Composition', id: 'one', rule: 'ext-1', pointer: '/a' };
    const newState = { set: 'waived', reason: 'It is known.' } as const;
    const actor = { who: 'test', requestId: 'r' };
    await store.findings.say([key], { newState, actor, now: Date.UTC(2026, 0, 1) });
    await store.erase([createErasing('one', { time: '2026-01-04T00:00:00.000Z' })]);
    const { flagged: flaggedCounts, states } = await store.issueCounts({ day: '2026-01-01' });
    expect([flaggedCounts.Composition, states]).toEqual([1, { open: 3, assigned: 0, waived: 0 }]);
    expect(await store.severities('Composition', ['one'])).toEqual([]);
    const firstDay = dayNumber(Date.UTC(2026, 0, 1));
    const changes = await store.findings.compare(firstDay, firstDay + 4, '2026-01-05');
    expect(changes.map(({ rule, resolved, persisting }) => [rule, resolved, persisting]).sort()).toEqual([
      ['cmp-1', 1, 1],
      ['ext-1', 2, 2],
    ]);
    // A second erasure finds no record and is not audited.
    expect(await store.erase([createErasing('one')])).toEqual([]);
    expect((await store.audit.page({ action: 'erase' }, undefined, 10)).entries).toHaveLength(1);
  });

  test('continues a page across the gap', async () => {
    const { store, next } = world;
    for (let index = 0; index < 6; index += 1) await store.insert(next(`r-${index}`, 1, 'Page'));
    const criteria = toCriteria(['_sort', '_id']);
    const { nextCursor: cursor } = await store.search(criteria, 2);
    await store.erase([createErasing('r-1'), createErasing('r-3')]);
    const remainingPage = await store.search({ ...criteria, ...(cursor && { cursor }) }, 10);
    expect(idsOf(remainingPage)).toEqual(['r-2', 'r-4', 'r-5']);
  });
}
