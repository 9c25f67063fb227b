import { expect, test } from 'vitest';
import { readSupportingResource } from '../../../core/fhir/supporting-resource.ts';
import type { StoredLine } from '../import-batches.ts';
import type { Removal } from '../store.ts';
import { idsOf, issue, toCriteria, worldOf, type Engine } from './contract-store.ts';

const [first, second] = [
  '11111111-0000-4000-8000-000000000001',
  '11111111-0000-4000-8000-000000000002',
] as const;
const actor = { who: 'a', person: 'Ada', requestId: 'r' };
const now = Date.UTC(2026, 0, 2);
const lineOf = (batch: string, address?: string, content?: string): StoredLine => ({
  batch,
  detail: '{"place":1}',
  ...(address !== undefined && { address }),
  ...(content !== undefined && { content }),
});
const removing = (id: string, version: number): Removal => ({
  type: 'Composition',
  id,
  version,
  now,
  reason: 'It was the wrong ward.',
  ...actor,
});

/** Tests import batches, the removal of records, and what an erasure leaves of both. */
export function batches(engine: Engine): void {
  const world = worldOf(engine);
  const begin = (id: string, name = 'ward.zip') =>
    world.store.batches.begin({ id, name, form: 'command', now, author: 'a', person: 'Ada' });
  const bring = (id: string, line: StoredLine, version = 1) =>
    world.store.insert({
      ...world.next(id, version, 'Quokka'),
      batchLine: line,
      origin: { source: 's', batch: 's' },
    });
  const listLines = async (id: string) =>
    (await world.store.batches.readLines(id, { after: 0 }, 100)).map(({ result, name, detail }) => [
      result,
      name && `${name.type}/${name.id}`,
      detail,
    ]);
  const keep = (text: string, batch: string, fullUrl?: string) =>
    world.store.supportingResources.store(
      readSupportingResource(/"resourceType":"(\w+)"/.exec(text)?.[1] ?? '', text, fullUrl),
      `batch:${batch}`,
      actor,
      lineOf(batch),
    );
  const readResource = async (type: string, id: string) => {
    const resource = await world.store.supportingResources.read({ type, id });
    return typeof resource === 'object' ? resource.text : resource;
  };
  const undoResources = async (batch: string) => {
    const { batches: store, supportingResources } = world.store;
    const resources = await store.listResources(batch, Number.MAX_SAFE_INTEGER, 100);
    await supportingResources.undo(batch, resources, actor);
  };

  test('lists batches with their lines, counts and states', async () => {
    const { store } = world;
    await begin(first);
    await store.batches.begin({ id: second, name: '', form: 'http', now: now + 1, author: 'b' });
    await bring('one', lineOf(first, 'Composition/1'));
    await store.batches.addLines(first, [
      { result: 'unchanged', name: { type: 'Composition', id: 'one' }, detail: '{"place":2}' },
      { result: 'refused', detail: '{"place":3,"reason":"No."}' },
    ]);
    expect(await listLines(first)).toEqual([
      ['stored', 'Composition/one', '{"place":1}'],
      ['unchanged', 'Composition/one', '{"place":2}'],
      ['refused', undefined, '{"place":3,"reason":"No."}'],
    ]);
    const [latest, earliest] = await store.batches.list(undefined, 10);
    expect(latest).toMatchObject({ id: second, name: '', form: 'http', author: 'b' });
    expect(latest).not.toHaveProperty('person');
    const counts = { stored: 1, unchanged: 1, refused: 1, skipped: 0, kept: 0, replaced: 0 };
    expect(earliest).toEqual({
      id: first,
      name: 'ward.zip',
      form: 'command',
      time: new Date(now).toISOString(),
      author: 'a',
      person: 'Ada',
      state: 'stopped',
      counts,
    });
    expect(await store.batches.list({ time: now + 1, id: second }, 10)).toEqual([earliest]);
    await store.batches.end(first, now + 60_000);
    const ended = new Date(now + 60_000).toISOString();
    expect(await store.batches.read(first)).toMatchObject({ state: 'done', ended, counts });
    // A later request of the same import continues it.
    await begin(first, 'other name');
    await store.batches.addLines(first, [{ result: 'skipped', detail: '{}' }]);
    expect(await store.batches.read(first)).toMatchObject({
      state: 'stopped',
      name: 'ward.zip',
      counts: { skipped: 1 },
    });
    await store.batches.setUndone(first, { now: now + 1, who: 'c', reason: 'Wrong ward.' });
    await store.batches.end(first, now);
    expect(await store.batches.read(first)).toMatchObject({
      state: 'undone',
      undone: { time: new Date(now + 1).toISOString(), author: 'c', reason: 'Wrong ward.' },
    });
    expect(await store.batches.read('none')).toBeUndefined();
    expect(await store.batches.readLines(first, { after: 0, result: 'refused' }, 10)).toHaveLength(1);
  });

  test('tells which records of a batch changed, and compares two batches by address', async () => {
    const { store, change } = world;
    await begin(first);
    await begin(second);
    const issues = [issue('ext-1', '/a')];
    await store.insert({
      ...world.next('kept', 1, 'A', { issues }),
      batchLine: lineOf(first, 'Composition/1', 'x'),
    });
    await bring('changed', lineOf(first, 'Composition/2', 'x'));
    await bring('gone', lineOf(first, 'Composition/3', 'x'));
    await change('changed', 'By a person');
    await store.remove([removing('gone', 1)]);
    expect(await store.batches.countRecords(first)).toEqual({
      asImported: 1,
      changed: 1,
      removed: 1,
      withIssues: 1,
    });
    expect(await store.batches.listVersions(first, 0, 10)).toMatchObject([
      { id: 'kept', version: 1, current: 1 },
      { id: 'changed', version: 1, current: 2 },
      { id: 'gone', version: 1 },
    ]);
    await bring('same', lineOf(second, 'Composition/1', 'x'));
    await bring('different', lineOf(second, 'Composition/2', 'y'));
    await bring('new', lineOf(second, 'Composition/4', 'y'));
    expect(await store.batches.compare(second, first, { after: '' }, 10)).toEqual({
      counts: { new: 1, gone: 1, different: 1, same: 1 },
      records: [
        {
          kind: 'different',
          address: 'Composition/2',
          record: 'Composition/different',
          other: 'Composition/changed',
        },
        { kind: 'gone', address: 'Composition/3', other: 'Composition/gone' },
        { kind: 'new', address: 'Composition/4', record: 'Composition/new' },
      ],
    });
    const { records } = await store.batches.compare(
      second,
      first,
      { kind: 'new', after: 'Composition/3' },
      10,
    );
    expect(records).toHaveLength(1);
  });

  test('removes a record and keeps its versions, until an import brings it again', async () => {
    const { store, next, change } = world;
    const issues = [issue('ext-1', '/a')];
    await store.insert({ ...next('one', 1, 'Quokka', { issues }), origin: { source: 's', batch: 's' } });
    await store.insert(next('other', 1, 'Quokka'));
    await change('one', 'Quokka again', { issues });
    expect(await store.remove([removing('one', 1), removing('one', 2), removing('none', 1)])).toEqual([
      false,
      true,
      false,
    ]);
    expect(await store.read('Composition', 'one')).toBeUndefined();
    expect(await store.readForUpdate('Composition', 'one')).toBeUndefined();
    expect(await store.readRemoved('Composition', 'one')).toEqual({
      version: 2,
      time: new Date(now).toISOString(),
      who: 'a',
      person: 'Ada',
      reason: 'It was the wrong ward.',
    });
    expect(await store.readRemoved('Composition', 'other')).toBeUndefined();
    expect(idsOf(await store.search(toCriteria(['title', 'quokka']), 10))).toEqual(['other']);
    expect(await store.total(toCriteria(['subject', 'Patient/p']))).toBe(1);
    expect(await store.count()).toEqual({ CarePlan: 0, Composition: 1 });
    expect((await store.issueCounts({ day: '2026-01-01' })).flagged.Composition).toBe(0);
    expect((await store.history('Composition', { id: 'one' }, 10)).total).toBe(2);
    expect(await store.readVersion('Composition', 'one', 1)).toMatchObject({ version: 1 });
    const [entry] = (await store.audit.page({}, undefined, 1)).entries;
    expect(entry).toMatchObject({
      action: 'delete',
      what: '/fhir-r4/v1/Composition/one',
      before: 2,
      who: 'a',
      person: 'Ada',
      requestId: 'r',
    });

    // A new record gets no key of a removed one.
    await store.insert(next('third', 1, 'Quokka'));
    expect((await store.history('Composition', { id: 'third' }, 10)).total).toBe(1);
    expect(await store.insert(next('one', 2, 'Quokka returns'))).toBe('removed');
    const origin = { source: 't', batch: 't' };
    expect(await store.insert({ ...next('one', 3, 'Quokka returns', { issues }), origin })).toBe('stored');
    expect(await store.readRemoved('Composition', 'one')).toBeUndefined();
    expect(await store.read('Composition', 'one')).toMatchObject({ version: 3 });
    expect((await store.history('Composition', { id: 'one' }, 10)).total).toBe(3);
    expect(await store.supportingResources.readOrigin({ type: 'Composition', id: 'one' })).toMatchObject(
      origin,
    );
    expect(idsOf(await store.search(toCriteria(['title', 'quokka']), 10)).sort()).toEqual([
      'one',
      'other',
      'third',
    ]);
    expect(await store.count()).toEqual({ CarePlan: 0, Composition: 3 });
    expect((await store.issueCounts({ day: '2026-01-01' })).flagged.Composition).toBe(1);
    expect(await store.audit.verify()).not.toHaveProperty('broken');
  });

  test('puts the former text of a supporting resource back, also of a batch that was undone before', async () => {
    const { supportingResources } = world.store;
    const url = 'https://a.example/fhir/Patient/p';
    const texts = ['a', 'b', 'c'].map((name) => `{"resourceType":"Patient","id":"p","x":"${name}"}`);
    const [textA = '', textB = '', textC = ''] = texts;
    const third = '11111111-0000-4000-8000-000000000003';
    for (const id of [first, second, third]) await begin(id);
    await keep(textA, first, url);
    await keep(textB, second, url);
    await keep('{"resourceType":"Group","id":"g"}', second);
    expect(await world.store.batches.listResources(second, Number.MAX_SAFE_INTEGER, 10)).toMatchObject([
      { type: 'Group', id: 'g', result: 'kept', hasFormer: false },
      { type: 'Patient', id: 'p', result: 'replaced', hasFormer: true, text: textB, fullUrl: url },
    ]);
    await keep(textC, third, url);
    await undoResources(second);
    expect([await readResource('Patient', 'p'), await readResource('Group', 'g')]).toEqual([
      textC,
      undefined,
    ]);
    await undoResources(third);
    expect(await readResource('Patient', 'p')).toBe(textA);
    await undoResources(first);
    expect(await readResource('Patient', 'p')).toBeUndefined();
    const entries = (await world.store.audit.page({}, undefined, 3)).entries;
    expect(entries.map(({ action, what }) => `${action} ${what}`)).toEqual([
      'delete /app/companions/Patient/p',
      'update /app/companions/Patient/p',
      'delete /app/companions/Group/g',
    ]);
    expect(await supportingResources.countByType()).toEqual([]);
  });

  test('lists references to a resource that an undo leaves', async () => {
    const { store, change } = world;
    await begin(first);
    await begin(second);
    await bring('of-batch', lineOf(first));
    await bring('changed', lineOf(first));
    await store.insert(world.next('other', 1, 'Other'));
    await change('changed', 'By a person');
    await keep('{"resourceType":"Goal","id":"of-batch","subject":{"reference":"Patient/p"}}', first);
    await keep('{"resourceType":"Goal","id":"other","subject":{"reference":"Patient/p"}}', second);
    const references = await store.batches.listReferences(first, { type: 'Patient', ids: ['p', 'q'] }, 10);
    expect(references.map(({ from, reference }) => `${from.type}/${from.id} ${reference}`).sort()).toEqual([
      'Composition/changed Patient/p',
      'Composition/other Patient/p',
      'Goal/other Patient/p',
    ]);
    expect(await store.batches.listReferences(first, { type: 'Patient', ids: ['q'] }, 10)).toEqual([]);
  });

  test('erases a record, removed or not, from the lines of batches', async () => {
    const { store } = world;
    await begin(first);
    await bring('one', lineOf(first));
    await bring('two', lineOf(first));
    await store.remove([removing('two', 1)]);
    const request = (type: string, id: string) => ({ type, id, who: 'a', reason: 'Asked for.' });
    expect(await store.erase([request('Composition', 'one'), request('Composition', 'two')])).toEqual([
      'Composition/one',
      'Composition/two',
    ]);
    expect(await listLines(first)).toEqual([]);
    expect((await store.history('Composition', { id: 'two' }, 10)).total).toBe(0);
    expect(await store.readRemoved('Composition', 'two')).toBeUndefined();
  });

  test('erases former texts of a resource and those about it', async () => {
    const { store } = world;
    const patientUrl = 'https://a.example/fhir/Patient/p';
    const goalUrl = 'https://a.example/fhir/Goal/g';
    const about = (id: string) => `{"resourceType":"Goal","id":"g","subject":{"reference":"Patient/${id}"}}`;
    await begin(first);
    await begin(second);
    await keep('{"resourceType":"Patient","id":"p","x":1}', first, patientUrl);
    await keep('{"resourceType":"Patient","id":"p","x":2}', second, patientUrl);
    await keep(about('p'), first, goalUrl);
    await keep(about('q'), second, goalUrl);
    const erased = await store.erase([{ type: 'Patient', id: 'p', who: 'a', reason: 'Asked for.' }]);
    expect(erased).toEqual(['Patient/p']);
    expect(await listLines(first)).toEqual([['kept', 'Goal/g', '{"place":1}']]);
    const [goal, ...others] = await store.batches.listResources(second, Number.MAX_SAFE_INTEGER, 10);
    expect([goal?.hasFormer, others]).toEqual([false, []]);
    expect(await readResource('Goal', 'g')).toBe(about('q'));
  });
}
