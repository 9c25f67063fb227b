import { beforeEach, describe, expect, test } from 'vitest';
import { dayNumber, dayText } from '../../../core/app/days.ts';
import { derivations, type Derivation } from '../../../core/derive/derivations.ts';
import { deriveIssues } from '../../../core/derive/derive.ts';
import { indexRows, noIndex } from '../../../core/fhir/index-rows.ts';
import type { Pair } from '../../../core/fhir/search.ts';
import { scan } from '../../../core/json/scan.ts';
import type { JsonObject } from '../../../core/json/node.ts';
import type { NewVersion } from '../store.ts';
import { asked, idsOf, issue, worldOf, type Engine } from './contract-store.ts';

const day = 86_400_000;
/** In the days of the versions that the tests write. */
const now = Date.UTC(2026, 0, 1, 12);

/** What a version gives is made anew from its text: by another program, on order, and when its day has come. */
export function derived(engine: Engine): void {
  const world = worldOf(engine);

  /** Makes all anew that is to be; answers how many steps it took. */
  async function settled(at = now): Promise<number> {
    for (let steps = 1; ; steps += 1) {
      if (!(await world.store.derived.step({ now: at, milliseconds: 5 }))) return steps;
    }
  }

  const found = async (...pairs: Pair[]) => idsOf(await world.store.search(asked(...pairs), 500)).sort();
  const rulesOf = async (id: string, type = 'Composition') =>
    (await world.store.issues({ group: { by: 'record', key: `${type}/${id}` } }, undefined, 100))
      .map(({ rule, pointer }) => `${rule} ${pointer}`)
      .sort();

  /** A document that another program read otherwise: as one of another title, without a patient and without findings. */
  function misread(id: string, title: string, more: object = {}): NewVersion {
    const version = world.next(id, 1, title, { members: { status: 'unheard-of', ...more } });
    const { date } = version.index.sort;
    return { ...version, index: { ...noIndex, sort: { date, status: 'wrong', title: 'wrong' } } };
  }

  /** The derivations of this program, one of them made otherwise. */
  const otherwise = (name: string): readonly Derivation[] =>
    derivations.map((one) => (one.name === name ? { name, stamp: 'another' } : one));

  /** What the rules say of a document that was stored so. */
  async function judgedAs(id: string): Promise<string[]> {
    const read = await world.store.read('Composition', id);
    const root = scan(read && 'text' in read ? read.text : '').root as JsonObject;
    const { issues } = deriveIssues('Composition', root, { today: '2026-01-01' });
    return issues.map(({ rule, pointer }) => `${rule} ${pointer}`).sort();
  }

  test('a store without records has nothing to make anew, and is judged', async () => {
    expect(await settled()).toBe(1);
    const { rebuild, skipped, judged } = await world.store.derived.state();
    expect([rebuild, skipped]).toEqual([undefined, 0]);
    expect(judged).toBeGreaterThan(0);
  });

  describe('rows that another reading left', () => {
    const count = 450;
    const ids = Array.from({ length: count }, (_, at) => `r-${at}`).sort();

    beforeEach(async () => {
      await Promise.all(ids.map((id) => world.store.insert(misread(id, `Letter ${id}`))));
    });

    test('are made anew on order: index, order, findings', async () => {
      expect(await found(['subject', 'p'])).toEqual([]);
      await world.store.derived.renew('everything', now);
      const { rebuild } = await world.store.derived.state();
      expect(rebuild).toMatchObject({ done: 0, skipped: 0 });
      expect([...(rebuild?.parts ?? [])].sort()).toEqual(derivations.map(({ name }) => name).sort());
      await settled();
      expect(await found(['subject', 'p'])).toEqual(ids);
      const [first] = idsOf(await world.store.search(asked(['_sort', 'title']), 1));
      expect(first).toBe(ids[0]);
      expect(await rulesOf('r-7')).toEqual(await judgedAs('r-7'));
      expect(await world.store.derived.state()).toMatchObject({ rebuild: undefined, skipped: 0 });
    });

    test('are judged anew alone where that is asked', async () => {
      await world.store.derived.renew('rules', now);
      await settled();
      expect(await rulesOf('r-7')).toEqual(await judgedAs('r-7'));
      expect(await rulesOf('r-7')).not.toEqual([]);
      expect(await found(['subject', 'p'])).toEqual([]);
    });

    test('refuse the searches that need them until all are made, and no others', async () => {
      await world.reopen(otherwise('Composition.subject'));
      const refused = { kind: 'rebuilding', headers: { 'Retry-After': expect.stringMatching(/^\d+$/) } };
      const bySubject = asked(['subject', 'p']);
      await expect(world.store.search(bySubject, 5)).rejects.toMatchObject(refused);
      await expect(world.store.total(bySubject)).rejects.toMatchObject(refused);
      const more = world.next('more', 1, 'More');
      await expect(world.store.insertUnless(more, bySubject)).rejects.toMatchObject(refused);
      expect(await world.store.read('Composition', 'more')).toBeUndefined();
      expect((await found(['_id', 'r-1,r-2'])).length).toBe(2);
      const { rebuild } = await world.store.derived.state();
      expect(rebuild).toMatchObject({ parts: ['Composition.subject'], done: 0 });
      expect(await world.store.derived.step({ now, milliseconds: 1 })).toBe(true);
      await settled();
      expect(await found(['subject', 'p'])).toEqual(ids);
      // Nothing else was made anew.
      expect(await found(['status', 'unheard-of'])).toEqual([]);
      expect(await rulesOf('r-7')).toEqual([]);
    });

    test('go on where a store that was closed had come to, and a program in between begins anew', async () => {
      await world.reopen(otherwise('Composition.subject'));
      await world.store.derived.step({ now, milliseconds: 1 });
      const before = (await world.store.derived.state()).rebuild;
      expect(before?.done).toBeGreaterThan(0);
      await world.reopen(otherwise('Composition.subject'));
      expect((await world.store.derived.state()).rebuild).toEqual(before);
      await world.reopen(derivations);
      expect((await world.store.derived.state()).rebuild).toMatchObject({
        ...{ parts: ['Composition.subject'], done: 0 },
      });
    });

    test('an order waits for its columns, and is right behind it, on later pages too', async () => {
      await world.reopen(otherwise('Composition/sort'));
      const byTitle = asked(['_sort', '-title']);
      await expect(world.store.search(byTitle, 5)).rejects.toMatchObject({ kind: 'rebuilding' });
      await settled();
      const first = await world.store.search(byTitle, 200);
      const { next: cursor } = first;
      // Who turns the page meets those that change meanwhile where they stood.
      await world.change('r-0', 'Zeppelin');
      const rest = await world.store.search({ ...byTitle, ...(cursor && { cursor }) }, 500);
      const titles = [...idsOf(first), ...idsOf(rest)];
      expect(titles).toEqual([...ids].reverse());
    });

    test('a change of a record makes all its rows', async () => {
      await world.change('r-7', 'Mended');
      expect(await found(['subject', 'p'])).toEqual(['r-7']);
    });

    test('a version that stays is mended, and no other than the one that is meant', async () => {
      const { text } = misread('r-7', 'Letter r-7');
      const root = scan(text).root as JsonObject;
      const right = {
        index: indexRows('Composition', root),
        ...deriveIssues('Composition', root, { today: '2026-01-01' }),
      };
      await world.store.derived.mend('Composition', 'r-7', 2, right, now);
      expect(await found(['subject', 'p'])).toEqual([]);
      await world.store.derived.mend('Composition', 'r-7', 1, right, now);
      expect(await found(['subject', 'p'])).toEqual(['r-7']);
      expect(await rulesOf('r-7')).toEqual(await judgedAs('r-7'));
    });
  });

  test('a finding about a change, and what is found elsewhere, stay where a record is judged anew', async () => {
    const kept = [issue('narrative-stale', '/text'), issue('my/check', '/title'), issue('ext-1', '/a')];
    await world.store.insert(world.next('one', 1, 'One', { issues: kept }));
    await world.store.derived.renew('rules', now);
    await settled();
    const rules = await rulesOf('one');
    expect(rules).toEqual(expect.arrayContaining(['my/check /title', 'narrative-stale /text']));
    expect(rules).not.toContain('ext-1 /a');
  });

  test('what is found elsewhere stays as it stands behind a change, whatever the change says of it', async () => {
    const kept = [issue('my/one', '/title'), issue('my/two', '')];
    await world.store.insert(world.next('one', 1, 'One', { issues: kept }));
    await world.change('one', 'Two', { issues: [issue('my/three', ''), issue('ext-1', '/a')] });
    expect(await rulesOf('one')).toEqual(['ext-1 /a', 'my/one /title', 'my/two ']);
  });

  describe('a record whose day comes', () => {
    /** The first midnight on which the plan is overdue. */
    let midnight = 0;

    beforeEach(async () => {
      const members = {
        intent: 'plan',
        status: 'active',
        period: { start: '2025-01-01', end: '2025-12-31' },
      };
      const version = world.next('plan', 1, 'Plan', { type: 'CarePlan', members });
      const root = scan(version.text).root as JsonObject;
      const { issues, judgeAgain } = deriveIssues('CarePlan', root, { today: '2026-01-01' });
      await world.store.insert({ ...version, issues, ...(judgeAgain !== undefined && { judgeAgain }) });
      midnight = judgeAgain ?? 0;
    });

    const overdue = async () =>
      (await rulesOf('plan', 'CarePlan')).filter((one) => one.startsWith('plan-overdue'));

    test('is judged then, and not before', async () => {
      await settled(midnight - 1);
      expect(await overdue()).toEqual([]);
      await settled(midnight);
      expect(await overdue()).toHaveLength(1);
    });

    test('has a finding that begins on that day', async () => {
      await settled(midnight);
      const begun = dayNumber(midnight);
      const changes = await world.store.findings.compare(begun - 1, begun, dayText(begun));
      expect(changes.find(({ rule }) => rule === 'plan-overdue')).toMatchObject({ new: 1, persisting: 0 });
    });

    test('tells when all were judged last', async () => {
      const later = Date.now() + 400 * day;
      await settled(later);
      expect((await world.store.derived.state()).judged).toBe(later);
    });
  });
}
