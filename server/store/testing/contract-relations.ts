import { expect, test } from 'vitest';
import { dayNumber } from '../../../core/app/days.ts';
import type { FoundRelation } from '../relation-sql.ts';
import { issue, worldOf, type Engine } from './contract-store.ts';

const day = dayNumber(Date.UTC(2026, 0, 1));

/** What is wrong between records is found by their index rows, and written at the elements that say so. */
export function relations(engine: Engine): void {
  const world = worldOf(engine);

  async function stored(id: string, members: object): Promise<void> {
    const plan = { status: 'active', intent: 'plan', ...members };
    await world.store.insert(world.next(id, 1, id, { type: 'CarePlan', members: plan }));
  }

  /** Looks, and writes what was found; whether anything changed. */
  async function look(anyway = true): Promise<boolean | undefined> {
    const all = await world.store.relations.find(anyway);
    if (!all) return undefined;
    const found = Map.groupBy<number, FoundRelation>(all, ({ record }) => record);
    const records = new Set([...found.keys(), ...(await world.store.relations.standing())]);
    const changed = await world.store.relations.write([...records], found, day);
    await world.store.relations.ended(changed);
    return changed;
  }

  const listed = async () =>
    (await world.store.issues({}, undefined, 1000))
      .filter(({ rule }) => rule.startsWith('store/'))
      .map(({ id, rule, pointer }) => `${id} ${rule.slice('store/'.length)} ${pointer}`)
      .sort();

  const basedOn = (id: string) => ({ basedOn: [{ reference: `CarePlan/${id}` }] });

  test('a reference to nothing is found until something is there', async () => {
    await stored('one', basedOn('two'));
    expect(await look()).toBe(true);
    expect(await listed()).toEqual(['one dangling-reference /basedOn/0']);
    expect(await look()).toBe(false);
    await stored('two', {});
    expect(await look()).toBe(true);
    expect(await listed()).toEqual([]);
    expect(await world.store.relations.standing()).toEqual([]);
  });

  test('identifiers with their systems are found at all who have them', async () => {
    const identifier = [{ system: 'urn:s', value: 'A7' }];
    await stored('one', { identifier });
    await stored('two', { identifier: [...identifier, ...identifier] });
    await stored('twice', {
      identifier: [
        { system: 'urn:t', value: '1' },
        { system: 'urn:t', value: '1' },
      ],
    });
    await stored('wrong', { identifier, status: 'entered-in-error' });
    await look();
    expect(await listed()).toEqual([
      'one duplicate-identifier /identifier/0',
      'two duplicate-identifier /identifier/0',
      'two duplicate-identifier /identifier/1',
    ]);
  });

  test('plans of one kind that go on at the same time are found, whatever the order of their categories', async () => {
    const going = (codes: readonly string[], start: string, end?: string) => ({
      category: codes.map((code) => ({ coding: [{ system: 'urn:kinds', code }] })),
      period: { start, ...(end && { end }) },
    });
    await stored('one', going(['diabetes', 'foot'], '2026-01-01', '2026-03-01'));
    await stored('two', going(['foot', 'diabetes'], '2026-02-01'));
    await stored('before', going(['diabetes', 'foot'], '2025-01-01', '2025-12-01'));
    await stored('other', going(['foot'], '2026-02-01'));
    await look();
    expect(await listed()).toEqual(['one overlapping-plans /period', 'two overlapping-plans /period']);
  });

  test('what another replaces is found while it is current, and while the other says so', async () => {
    await stored('old', {});
    await stored('new', { replaces: [{ reference: 'CarePlan/old' }] });
    await look();
    expect(await listed()).toEqual(['old replaced-but-current /status']);
    await world.change('new', 'new', { type: 'CarePlan', members: { status: 'active', intent: 'plan' } });
    await look();
    expect(await listed()).toEqual([]);
  });

  test('the other records of a finding are named, at most so many, and none that is not of it', async () => {
    const identifier = [{ system: 'urn:s', value: 'A7' }];
    const going = {
      subject: { reference: 'Patient/p' },
      category: [{ coding: [{ system: 'urn:kinds', code: 'foot' }] }],
      period: { start: '2026-01-01' },
    };
    await stored('one', { identifier, ...going });
    await stored('two', { identifier, ...going });
    await stored('three', { identifier: [...identifier, ...identifier], replaces: [{ reference: 'one' }] });
    await stored('wrong', { identifier, ...going, status: 'entered-in-error' });
    await stored('other', { ...going, subject: { reference: 'Patient/q' } });
    await stored('before', { ...going, period: { start: '2025-01-01', end: '2025-02-01' } });
    const of = (id: string) => ({ type: 'CarePlan', id }) as const;
    const questions = [
      { ...of('one'), rule: 'store/duplicate-identifier', value: 'a7', system: 'urn:s' },
      { ...of('one'), rule: 'store/overlapping-plans', value: 'p' },
      { ...of('one'), rule: 'store/replaced-but-current', value: 'one' },
      { ...of('none'), rule: 'store/overlapping-plans', value: 'p' },
    ] as const;
    const { relations: store } = world.store;
    expect(await store.partners(questions, 9)).toEqual([['three', 'two'], ['two'], ['three'], []]);
    expect((await store.partners(questions, 1)).map(({ length }) => length)).toEqual([1, 1, 1, 0]);
  });

  test('other findings stay', async () => {
    const issues = [issue('ext-1', '/a'), issue('my/check', '')];
    const members = { status: 'active', intent: 'plan', ...basedOn('none') };
    await world.store.insert(world.next('one', 1, 'One', { type: 'CarePlan', members, issues }));
    await look();
    await world.change('one', 'One', {
      type: 'CarePlan',
      issues,
      members: { status: 'active', intent: 'plan' },
    });
    await look();
    const rules = (await world.store.issues({}, undefined, 9)).map(({ rule }) => rule);
    expect(rules.sort()).toEqual(['ext-1', 'my/check']);
  });

  test('a record that was changed since it was found is left to the next look', async () => {
    await stored('one', basedOn('two'));
    const all = (await world.store.relations.find(true)) ?? [];
    await world.change('one', 'One', { type: 'CarePlan', members: { status: 'active', intent: 'plan' } });
    const found = Map.groupBy<number, FoundRelation>(all, ({ record }) => record);
    await world.store.relations.write([...found.keys()], found, day);
    expect(await listed()).toEqual([]);
  });
}
