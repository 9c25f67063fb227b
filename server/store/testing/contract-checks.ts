import { beforeEach, describe, expect, test } from 'vitest';
import { dayNumber } from '../../../core/app/days.ts';
import { mostSlots, type CheckSlice, type CheckVerdict, type KeptCheck } from '../check-store.ts';
import { issue, worldOf, type Engine } from './contract-store.ts';

const day = dayNumber(Date.UTC(2026, 0, 1));

const titled: KeptCheck = { id: 'titled', type: 'Composition', stamp: 'a' };
const dated: KeptCheck = { id: 'dated', type: 'Composition', stamp: 'a' };

/** Checks are asked of all records, and of what is written since; what they come to stands with the records. */
export function checks(engine: Engine): void {
  const world = worldOf(engine);

  const broken = (id: string): CheckVerdict => ({ is: 'broken', issues: [issue(`my/${id}`, '/title')] });

  /** By record and check: that it holds, that it does not, or that it could not be asked. */
  type Judge = (text: string, check: KeptCheck) => CheckVerdict;
  const byTitle: Judge = (text, { id }) => {
    if (text.includes('Mute')) return { is: 'skipped' };
    if (text.includes('None')) return { is: 'none' };
    return text.includes('Bad') ? broken(id) : { is: 'holds' };
  };

  async function write(slice: CheckSlice, judge = byTitle, halted: readonly string[] = []): Promise<void> {
    const verdicts = slice.records.map(({ text = '' }) =>
      slice.checks.map((check): CheckVerdict => (check.retired ? { is: 'none' } : judge(text, check))),
    );
    await world.store.checks.write(slice, verdicts, new Set(halted), day);
  }

  /** Asks all that is to be asked; answers which records by id, one for each check that was asked together. */
  async function askAll(judge = byTitle): Promise<number> {
    let records = 0;
    for (;;) {
      const slice = await world.store.checks.next();
      if (!slice) return records;
      records += slice.records.length;
      await write(slice, judge);
    }
  }

  const found = async (rule = 'my/titled') =>
    (await world.store.issues({ rule }, undefined, 1000)).map(({ id }) => id).sort();
  const progress = async (id = 'titled') =>
    (await world.store.checks.progress()).find((one) => one.id === id);
  const insert = (id: string, title: string) => world.store.insert(world.next(id, 1, title));

  async function next(): Promise<CheckSlice> {
    const slice = await world.store.checks.next();
    if (!slice) throw new Error('Nothing is to be asked.');
    return slice;
  }

  test('where nothing is asked there is nothing to ask', async () => {
    await insert('one', 'Bad');
    expect(await world.store.checks.next()).toBeUndefined();
    expect(await world.store.checks.progress()).toEqual([]);
  });

  describe('of records of every kind', () => {
    const count = 500;

    beforeEach(async () => {
      const titles = ['Good', 'Bad', 'None', 'Mute', 'Bad too'];
      const all = Array.from({ length: count }, (_, at) => insert(`r-${at}`, `${titles[at % 5]} ${at}`));
      await Promise.all(all);
      await world.store.checks.settle([titled]);
    });

    test('each is asked once, in slices, and what it came to is counted', async () => {
      expect((await progress())?.done).toBe(0);
      const slice = await next();
      expect(slice.records.length).toBeLessThan(count);
      await write(slice);
      const half = await progress();
      expect(half?.done).toBeGreaterThan(0);
      expect(half?.done).toBeLessThan(half?.total ?? 0);
      expect(slice.records.length + (await askAll())).toBe(count);
      const ended = await progress();
      expect(ended).toMatchObject({ applied: 300, skipped: 100, halted: false, done: ended?.total });
      expect(await found()).toHaveLength(200);
      expect(await world.store.checks.flaggedBy('my/')).toEqual({ CarePlan: 0, Composition: 200 });
      expect(await world.store.checks.skipped('titled', 3)).toHaveLength(3);
      expect(await world.store.checks.skipped('unknown', 3)).toEqual([]);
      expect(await askAll()).toBe(0);
    });

    test('of what is written since, no other is asked again', async () => {
      await askAll();
      await insert('more', 'Bad');
      await world.change('r-1', 'Good now');
      const before = await progress();
      expect(before?.done).toBeLessThan(before?.total ?? 0);
      expect(await askAll()).toBe(2);
      expect(await found()).toHaveLength(200);
      expect(await found()).toContain('more');
      expect(await found()).not.toContain('r-1');
      expect((await progress())?.applied).toBe(301);
    });

    test('a further check is asked of all, and then with the others', async () => {
      await askAll();
      await world.store.checks.settle([titled, dated]);
      expect(await askAll()).toBe(count);
      await insert('more', 'Bad');
      await world.change('r-0', 'Bad');
      await askAll();
      await insert('last', 'Bad');
      const slice = await next();
      expect(slice.checks.map(({ id }) => id).sort()).toEqual(['dated', 'titled']);
      expect(slice.records).toHaveLength(1);
      await write(slice);
      expect(await found('my/dated')).toEqual(await found());
    });

    test('a check that says something else is asked of all anew', async () => {
      await askAll();
      await world.store.checks.settle([{ ...titled, stamp: 'b' }]);
      expect(await askAll(() => ({ is: 'holds' }))).toBe(count);
      expect(await found()).toEqual([]);
      expect(await progress()).toMatchObject({ applied: count, skipped: 0 });
    });

    test('one that is switched off takes along what it found, and its slot is free', async () => {
      await askAll();
      await world.store.checks.settle([]);
      expect(await world.store.checks.progress()).toEqual([]);
      await askAll();
      expect(await found()).toEqual([]);
      const others = Array.from({ length: mostSlots }, (_, at) => ({ ...titled, id: `c-${at}` }));
      await world.store.checks.settle(others);
      expect(await world.store.checks.progress()).toHaveLength(mostSlots);
    });

    test('all are asked anew where that is asked', async () => {
      await askAll();
      await world.store.checks.renew();
      expect(await askAll(() => broken('titled'))).toBe(count);
      expect(await found()).toHaveLength(count);
    });

    test('a sample goes through the records of a type by their ids', async () => {
      const first = await world.store.checks.sample('Composition', '', 3);
      expect(first.map(({ id }) => id)).toEqual(['r-0', 'r-1', 'r-10']);
      expect(first[0]?.text).toContain('"Good 0"');
      const [behind] = await world.store.checks.sample('Composition', 'r-10', 1);
      expect(behind?.id).toBe('r-100');
      expect(await world.store.checks.sample('CarePlan', '', 3)).toEqual([]);
    });
  });

  describe('a slice', () => {
    beforeEach(async () => {
      await insert('one', 'Bad');
      await insert('two', 'Bad');
      await world.store.checks.settle([titled]);
    });

    test('leaves a record out that was changed since, which comes with its next version', async () => {
      const slice = await next();
      await world.change('one', 'Good');
      await write(slice);
      expect(await found()).toEqual(['two']);
      const later = await next();
      expect(later.records.map(({ text }) => text)).toEqual([expect.stringContaining('Good')]);
      await write(later);
      expect(await progress()).toMatchObject({ applied: 2 });
    });

    test('that is asked for again is the same until it is written, and is written once', async () => {
      const [slice, again] = [await next(), await next()];
      expect(again).toEqual(slice);
      await write(slice);
      await write(again, () => ({ is: 'holds' }));
      expect(await found()).toEqual(['one', 'two']);
      expect(await world.store.checks.next()).toBeUndefined();
    });

    test('counts for nothing where its check says something else by then, or is asked anew', async () => {
      const slice = await next();
      await world.store.checks.settle([{ ...titled, stamp: 'b' }]);
      await write(slice);
      expect(await found()).toEqual([]);
      await askAll();
      await world.store.checks.renew();
      const other = await next();
      await world.change('one', 'Worse, Bad');
      await write(other);
      await world.store.checks.renew();
      expect(await askAll()).toBe(2);
    });

    test('keeps other findings, and what people said of one that stays', async () => {
      await write(await next());
      const key = { type: 'Composition', id: 'one', rule: 'my/titled', pointer: '/title' } as const;
      const doer = { who: 'test', requestId: '' };
      await world.store.findings.say([key], { said: { set: 'note', note: 'Known.' }, doer, now: 0 });
      await world.change('one', 'Bad again', { issues: [issue('ext-1', '/a')] });
      await write(await next());
      const all = (await world.store.issues({}, undefined, 9)).filter(({ id }) => id === 'one');
      expect(all.map(({ rule }) => rule).sort()).toEqual(['ext-1', 'my/titled']);
      expect(all.find(({ rule }) => rule === 'my/titled')?.state).toMatchObject({ note: 'Known.' });
    });

    test('gives up a check that ran away', async () => {
      await write(await next(), () => ({ is: 'skipped' }), ['titled']);
      expect(await progress()).toMatchObject({ halted: true, skipped: 2 });
      await insert('three', 'Bad');
      expect((await next()).checks).toMatchObject([{ id: 'titled', halted: true }]);
    });
  });
}
