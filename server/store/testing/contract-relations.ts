import { expect, test } from 'vitest';
import { dayNumber } from '../../../core/types/definition/dates.ts';
import type { FoundRelation } from '../relation-sql.ts';
import { issue, worldOf, type Engine } from './contract-store.ts';

const day = dayNumber(Date.UTC(2026, 0, 1));

/** Tests that findings between records are found by index rows and written at the elements that refer to each other. */
export function relations(engine: Engine): void {
  const world = worldOf(engine);

  async function insertPlan(id: string, members: object): Promise<void> {
    const plan = { status: 'active', intent: 'plan', ...members };
    await world.store.insert(world.next(id, 1, id, { type: 'CarePlan', members: plan }));
  }

  /** Finds and writes relations. Returns true if a finding changed. */
  async function findAndWrite(isForced = true): Promise<boolean | undefined> {
    const relations = await world.store.relations.find(isForced);
    if (!relations) return undefined;
    const relationsByRecord = Map.groupBy<number, FoundRelation>(relations, ({ record }) => record);
    const records = new Set([...relationsByRecord.keys(), ...(await world.store.relations.listFlagged())]);
    const hasChanged = await world.store.relations.write([...records], relationsByRecord, day);
    await world.store.relations.completeScan(hasChanged);
    return hasChanged;
  }

  const listFindings = async () =>
    (await world.store.issues({}, undefined, 1000))
      .filter(({ rule }) => rule.startsWith('store/'))
      .map(({ id, rule, pointer }) => `${id} ${rule.slice('store/'.length)} ${pointer}`)
      .sort();

  const basedOn = (id: string) => ({ basedOn: [{ reference: `CarePlan/${id}` }] });

  test('reports a dangling reference until its target exists', async () => {
    await insertPlan('one', basedOn('two'));
    expect(await findAndWrite()).toBe(true);
    expect(await listFindings()).toEqual(['one dangling-reference /basedOn/0']);
    expect(await findAndWrite()).toBe(false);
    await insertPlan('two', {});
    expect(await findAndWrite()).toBe(true);
    expect(await listFindings()).toEqual([]);
    expect(await world.store.relations.listFlagged()).toEqual([]);
  });

  test('reports each record with a duplicate identifier', async () => {
    const identifier = [{ system: 'urn:s', value: 'A7' }];
    await insertPlan('one', { identifier });
    await insertPlan('two', { identifier: [...identifier, ...identifier] });
    await insertPlan('twice', {
      identifier: [
        { system: 'urn:t', value: '1' },
        { system: 'urn:t', value: '1' },
      ],
    });
    await insertPlan('wrong', { identifier, status: 'entered-in-error' });
    await findAndWrite();
    expect(await listFindings()).toEqual([
      'one duplicate-identifier /identifier/0',
      'two duplicate-identifier /identifier/0',
      'two duplicate-identifier /identifier/1',
    ]);
  });

  test('reports concurrent plans of one kind in any order of categories', async () => {
    const going = (codes: readonly string[], start: string, end?: string) => ({
      category: codes.map((code) => ({ coding: [{ system: 'urn:kinds', code }] })),
      period: { start, ...(end && { end }) },
    });
    await insertPlan('one', going(['diabetes', 'foot'], '2026-01-01', '2026-03-01'));
    await insertPlan('two', going(['foot', 'diabetes'], '2026-02-01'));
    await insertPlan('before', going(['diabetes', 'foot'], '2025-01-01', '2025-12-01'));
    await insertPlan('other', going(['foot'], '2026-02-01'));
    await findAndWrite();
    expect(await listFindings()).toEqual(['one overlapping-plans /period', 'two overlapping-plans /period']);
  });

  test('reports a replaced plan while it is current and the replacement exists', async () => {
    await insertPlan('old', {});
    await insertPlan('new', { replaces: [{ reference: 'CarePlan/old' }] });
    await findAndWrite();
    expect(await listFindings()).toEqual(['old replaced-but-current /status']);
    await world.change('new', 'new', { type: 'CarePlan', members: { status: 'active', intent: 'plan' } });
    await findAndWrite();
    expect(await listFindings()).toEqual([]);
  });

  test('lists the other records of a finding up to a limit', async () => {
    const identifier = [{ system: 'urn:s', value: 'A7' }];
    const going = {
      subject: { reference: 'Patient/p' },
      category: [{ coding: [{ system: 'urn:kinds', code: 'foot' }] }],
      period: { start: '2026-01-01' },
    };
    await insertPlan('one', { identifier, ...going });
    await insertPlan('two', { identifier, ...going });
    await insertPlan('three', {
      identifier: [...identifier, ...identifier],
      replaces: [{ reference: 'one' }],
    });
    await insertPlan('wrong', { identifier, ...going, status: 'entered-in-error' });
    await insertPlan('other', { ...going, subject: { reference: 'Patient/q' } });
    await insertPlan('before', { ...going, period: { start: '2025-01-01', end: '2025-02-01' } });
    const nameOf = (id: string) => ({ type: 'CarePlan', id }) as const;
    const questions = [
      { ...nameOf('one'), rule: 'store/duplicate-identifier', value: 'a7', system: 'urn:s' },
      { ...nameOf('one'), rule: 'store/overlapping-plans', value: 'p' },
      { ...nameOf('one'), rule: 'store/replaced-but-current', value: 'one' },
      { ...nameOf('none'), rule: 'store/overlapping-plans', value: 'p' },
    ] as const;
    const { relations: store } = world.store;
    expect(await store.partners(questions, 9)).toEqual([['three', 'two'], ['two'], ['three'], []]);
    expect((await store.partners(questions, 1)).map(({ length }) => length)).toEqual([1, 1, 1, 0]);
  });

  test('keeps other findings', async () => {
    const issues = [issue('ext-1', '/a'), issue('my/check', '')];
    const members = { status: 'active', intent: 'plan', ...basedOn('none') };
    await world.store.insert(world.next('one', 1, 'One', { type: 'CarePlan', members, issues }));
    await findAndWrite();
    await world.change('one', 'One', {
      type: 'CarePlan',
      issues,
      members: { status: 'active', intent: 'plan' },
    });
    await findAndWrite();
    const rules = (await world.store.issues({}, undefined, 9)).map(({ rule }) => rule);
    expect(rules.sort()).toEqual(['ext-1', 'my/check']);
  });

  test('leaves a record that changed in between to the next run', async () => {
    await insertPlan('one', basedOn('two'));
    const relations = (await world.store.relations.find(true)) ?? [];
    await world.change('one', 'One', { type: 'CarePlan', members: { status: 'active', intent: 'plan' } });
    const relationsByRecord = Map.groupBy<number, FoundRelation>(relations, ({ record }) => record);
    await world.store.relations.write([...relationsByRecord.keys()], relationsByRecord, day);
    expect(await listFindings()).toEqual([]);
  });
}
