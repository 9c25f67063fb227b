import { beforeEach, describe, expect, test } from 'vitest';
import { dayNumber } from '../../../core/types/definition/dates.ts';
import { maxCheckRows, type CheckBatch, type CheckResult, type StoredCheck } from '../check-store.ts';
import { issue, worldOf, type Engine } from './contract-store.ts';

const day = dayNumber(Date.UTC(2026, 0, 1));

const titled: StoredCheck = { id: 'titled', type: 'Composition', stamp: 'a' };
const dated: StoredCheck = { id: 'dated', type: 'Composition', stamp: 'a' };

/** Tests custom checks: they run on all records and on later writes, and their results are stored with the records. */
export function checks(engine: Engine): void {
  const world = worldOf(engine);

  const createBroken = (id: string): CheckResult => ({
    is: 'broken',
    issues: [issue(`my/${id}`, '/title')],
  });

  /** Returns the result of a check on a text: passed, failed or skipped. */
  type CheckText = (text: string, check: StoredCheck) => CheckResult;
  const byTitle: CheckText = (text, { id }) => {
    if (text.includes('Mute')) return { is: 'skipped' };
    if (text.includes('None')) return { is: 'none' };
    return text.includes('Bad') ? createBroken(id) : { is: 'holds' };
  };

  async function write(
    batch: CheckBatch,
    checkText = byTitle,
    abortedIds: readonly string[] = [],
  ): Promise<void> {
    const verdicts = batch.records.map(({ text = '' }) =>
      batch.checks.map((check): CheckResult => (check.isRetired ? { is: 'none' } : checkText(text, check))),
    );
    await world.store.checks.write(batch, verdicts, new Set(abortedIds), day);
  }

  /** Runs all due checks. Returns the number of records, each counted once per batch. */
  async function runAll(checkText = byTitle): Promise<number> {
    let records = 0;
    for (;;) {
      const batch = await world.store.checks.next();
      if (!batch) return records;
      records += batch.records.length;
      await write(batch, checkText);
    }
  }

  const listFlagged = async (rule = 'my/titled') =>
    (await world.store.issues({ rule }, undefined, 1000)).map(({ id }) => id).sort();
  const progress = async (id = 'titled') =>
    (await world.store.checks.progress()).find((check) => check.id === id);
  const insert = (id: string, title: string) => world.store.insert(world.next(id, 1, title));

  async function nextBatch(): Promise<CheckBatch> {
    const batch = await world.store.checks.next();
    if (!batch) throw new Error('Nothing is to be asked.');
    return batch;
  }

  test('has no batch without checks', async () => {
    await insert('one', 'Bad');
    expect(await world.store.checks.next()).toBeUndefined();
    expect(await world.store.checks.progress()).toEqual([]);
  });

  describe('of records of every kind', () => {
    const count = 500;

    beforeEach(async () => {
      const titles = ['Good', 'Bad', 'None', 'Mute', 'Bad too'];
      const inserts = Array.from({ length: count }, (_, index) =>
        insert(`r-${index}`, `${titles[index % 5]} ${index}`),
      );
      await Promise.all(inserts);
      await world.store.checks.settle([titled]);
    });

    test('runs on each record once, in batches, and counts the results', async () => {
      expect((await progress())?.done).toBe(0);
      const batch = await nextBatch();
      expect(batch.records.length).toBeLessThan(count);
      await write(batch);
      const progressAfterBatch = await progress();
      expect(progressAfterBatch?.done).toBeGreaterThan(0);
      expect(progressAfterBatch?.done).toBeLessThan(progressAfterBatch?.total ?? 0);
      expect(batch.records.length + (await runAll())).toBe(count);
      const progressAtEnd = await progress();
      expect(progressAtEnd).toMatchObject({
        applied: 300,
        skipped: 100,
        halted: false,
        done: progressAtEnd?.total,
      });
      expect(await listFlagged()).toHaveLength(200);
      expect(await world.store.checks.countFlagged('my/')).toEqual({ CarePlan: 0, Composition: 200 });
      expect(await world.store.checks.listSkipped('titled', 3)).toHaveLength(3);
      expect(await world.store.checks.listSkipped('unknown', 3)).toEqual([]);
      expect(await runAll()).toBe(0);
    });

    // Row 94 of docs/api-rows.md.
    test('loses the results of an erased record', async () => {
      await runAll();
      const before = await progress();
      await insert('mute', 'Mute');
      await insert('bad', 'Bad');
      await runAll();
      const { applied = 0, skipped: skippedCount = 0 } = before ?? {};
      expect(await progress()).toMatchObject({ applied: applied + 1, skipped: skippedCount + 1 });
      const request = { type: 'Composition', who: 'owner', reason: 'Asked for.', requestId: 'r' } as const;
      await world.store.erase(['mute', 'bad'].map((id) => ({ ...request, id })));
      expect(await progress()).toMatchObject({ applied, skipped: skippedCount });
    });

    test('runs only on later writes', async () => {
      await runAll();
      await insert('more', 'Bad');
      await world.change('r-1', 'Good now');
      const before = await progress();
      expect(before?.done).toBeLessThan(before?.total ?? 0);
      expect(await runAll()).toBe(2);
      expect(await listFlagged()).toHaveLength(200);
      expect(await listFlagged()).toContain('more');
      expect(await listFlagged()).not.toContain('r-1');
      expect((await progress())?.applied).toBe(301);
    });

    test('runs a new check on all records, then together with the existing ones', async () => {
      await runAll();
      await world.store.checks.settle([titled, dated]);
      expect(await runAll()).toBe(count);
      await insert('more', 'Bad');
      await world.change('r-0', 'Bad');
      await runAll();
      await insert('last', 'Bad');
      const batch = await nextBatch();
      expect(batch.checks.map(({ id }) => id).sort()).toEqual(['dated', 'titled']);
      expect(batch.records).toHaveLength(1);
      await write(batch);
      expect(await listFlagged('my/dated')).toEqual(await listFlagged());
    });

    test('runs a changed check on all records again', async () => {
      await runAll();
      await world.store.checks.settle([{ ...titled, stamp: 'b' }]);
      expect(await runAll(() => ({ is: 'holds' }))).toBe(count);
      expect(await listFlagged()).toEqual([]);
      expect(await progress()).toMatchObject({ applied: count, skipped: 0 });
    });

    test('removes the findings of a disabled check and frees its slot', async () => {
      await runAll();
      await world.store.checks.settle([]);
      expect(await world.store.checks.progress()).toEqual([]);
      await runAll();
      expect(await listFlagged()).toEqual([]);
      const newChecks = Array.from({ length: maxCheckRows }, (_, index) => ({ ...titled, id: `c-${index}` }));
      await world.store.checks.settle(newChecks);
      expect(await world.store.checks.progress()).toHaveLength(maxCheckRows);
    });

    test('runs all checks again on request', async () => {
      await runAll();
      await world.store.checks.renew();
      expect(await runAll(() => createBroken('titled'))).toBe(count);
      expect(await listFlagged()).toHaveLength(count);
    });

    test('samples the records of a type in order of their ids', async () => {
      const firstRecords = await world.store.checks.sample('Composition', '', 3);
      expect(firstRecords.map(({ id }) => id)).toEqual(['r-0', 'r-1', 'r-10']);
      expect(firstRecords[0]?.text).toContain('"Good 0"');
      const [nextRecord] = await world.store.checks.sample('Composition', 'r-10', 1);
      expect(nextRecord?.id).toBe('r-100');
      expect(await world.store.checks.sample('CarePlan', '', 3)).toEqual([]);
    });
  });

  describe('a batch', () => {
    beforeEach(async () => {
      await insert('one', 'Bad');
      await insert('two', 'Bad');
      await world.store.checks.settle([titled]);
    });

    test('leaves a changed record to the next batch', async () => {
      const batch = await nextBatch();
      await world.change('one', 'Good');
      await write(batch);
      expect(await listFlagged()).toEqual(['two']);
      const laterBatch = await nextBatch();
      expect(laterBatch.records.map(({ text }) => text)).toEqual([expect.stringContaining('Good')]);
      await write(laterBatch);
      expect(await progress()).toMatchObject({ applied: 2 });
    });

    test('is the same until it is written, and is written once', async () => {
      const [batch, sameBatch] = [await nextBatch(), await nextBatch()];
      expect(sameBatch).toEqual(batch);
      await write(batch);
      await write(sameBatch, () => ({ is: 'holds' }));
      expect(await listFlagged()).toEqual(['one', 'two']);
      expect(await world.store.checks.next()).toBeUndefined();
    });

    test('is discarded if its check was changed or restarted', async () => {
      const batch = await nextBatch();
      await world.store.checks.settle([{ ...titled, stamp: 'b' }]);
      await write(batch);
      expect(await listFlagged()).toEqual([]);
      await runAll();
      await world.store.checks.renew();
      const otherBatch = await nextBatch();
      await world.change('one', 'Worse, Bad');
      await write(otherBatch);
      await world.store.checks.renew();
      expect(await runAll()).toBe(2);
    });

    test('keeps other findings and the states of persisting ones', async () => {
      await write(await nextBatch());
      const key = { type: 'Composition', id: 'one', rule: 'my/titled', pointer: '/title' } as const;
      const actor = { who: 'test', requestId: '' };
      await world.store.findings.say([key], { newState: { set: 'note', note: 'Known.' }, actor, now: 0 });
      await world.change('one', 'Bad again', { issues: [issue('ext-1', '/a')] });
      await write(await nextBatch());
      const issues = (await world.store.issues({}, undefined, 9)).filter(({ id }) => id === 'one');
      expect(issues.map(({ rule }) => rule).sort()).toEqual(['ext-1', 'my/titled']);
      expect(issues.find(({ rule }) => rule === 'my/titled')?.state).toMatchObject({ note: 'Known.' });
    });

    test('aborts a check that ran too long', async () => {
      await write(await nextBatch(), () => ({ is: 'skipped' }), ['titled']);
      expect(await progress()).toMatchObject({ halted: true, skipped: 2 });
      await insert('three', 'Bad');
      expect((await nextBatch()).checks).toMatchObject([{ id: 'titled', isHalted: true }]);
    });
  });
}
