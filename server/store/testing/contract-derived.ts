import { beforeEach, describe, expect, test } from 'vitest';
import { dayNumber, dayText } from '../../../core/types/definition/dates.ts';
import { derivations, type Derivation } from '../../../core/derive/derivations.ts';
import { deriveIssues, indexRows, noIndex } from '../../../core/derive/derive.ts';
import type { Pair } from '../../../core/fhir/search.ts';
import { scan } from '../../../core/json/scan.ts';
import type { JsonObject } from '../../../core/json/node.ts';
import type { NewVersion } from '../store.ts';
import { toCriteria, idsOf, issue, worldOf, type Engine } from './contract-store.ts';

const day = 86_400_000;
/** Noon of the day of the test versions. */
const now = Date.UTC(2026, 0, 1, 12);

/** Tests that derived rows are rebuilt from texts: for another program, on request, and on a due day. */
export function derivedRows(engine: Engine): void {
  const world = worldOf(engine);

  /** Runs all due rebuild steps. Returns their number. */
  async function runAllSteps(timeMs = now): Promise<number> {
    for (let steps = 1; ; steps += 1) {
      if (!(await world.store.derived.runSlice({ now: timeMs, milliseconds: 5 }))) return steps;
    }
  }

  const listIds = async (...pairs: Pair[]) =>
    idsOf(await world.store.search(toCriteria(...pairs), 500)).sort();
  const rulesOf = async (id: string, type = 'Composition') =>
    (await world.store.issues({ group: { grouping: 'record', key: `${type}/${id}` } }, undefined, 100))
      .map(({ rule, pointer }) => `${rule} ${pointer}`)
      .sort();

  /** Creates a document with wrong derived rows: another title and status, no patient and no findings. */
  function misread(id: string, title: string, moreMembers: object = {}): NewVersion {
    const version = world.next(id, 1, title, { members: { status: 'unheard-of', ...moreMembers } });
    const { date } = version.index.sort;
    return { ...version, index: { ...noIndex, sort: { date, status: 'wrong', title: 'wrong' } } };
  }

  /** Returns the derivations of this program with a changed fingerprint for one of them. */
  const changeDerivation = (name: string): readonly Derivation[] =>
    derivations.map((derivation) => (derivation.name === name ? { name, stamp: 'another' } : derivation));

  /** Derives the findings of a stored document. */
  async function deriveExpected(id: string): Promise<string[]> {
    const storedRecord = await world.store.read('Composition', id);
    const root = scan(storedRecord && 'text' in storedRecord ? storedRecord.text : '').root as JsonObject;
    const { issues } = deriveIssues('Composition', root, { today: '2026-01-01' });
    return issues.map(({ rule, pointer }) => `${rule} ${pointer}`).sort();
  }

  test('has nothing to rebuild in an empty store, and counts as validated', async () => {
    expect(await runAllSteps()).toBe(1);
    const { rebuild, skippedCount, validatedAtMs } = await world.store.derived.state();
    expect([rebuild, skippedCount]).toEqual([undefined, 0]);
    expect(validatedAtMs).toBeGreaterThan(0);
  });

  describe('outdated rows', () => {
    const count = 450;
    const ids = Array.from({ length: count }, (_, index) => `r-${index}`).sort();

    beforeEach(async () => {
      await Promise.all(ids.map((id) => world.store.insert(misread(id, `Letter ${id}`))));
    });

    test('are rebuilt on request: index, order, findings', async () => {
      expect(await listIds(['subject', 'p'])).toEqual([]);
      await world.store.derived.startRebuild('everything', now);
      const { rebuild } = await world.store.derived.state();
      expect(rebuild).toMatchObject({ done: 0, skipped: 0 });
      expect([...(rebuild?.parts ?? [])].sort()).toEqual(derivations.map(({ name }) => name).sort());
      await runAllSteps();
      expect(await listIds(['subject', 'p'])).toEqual(ids);
      const [firstId] = idsOf(await world.store.search(toCriteria(['_sort', 'title']), 1));
      expect(firstId).toBe(ids[0]);
      expect(await rulesOf('r-7')).toEqual(await deriveExpected('r-7'));
      expect(await world.store.derived.state()).toMatchObject({ rebuild: undefined, skippedCount: 0 });
    });

    test('get only new findings if only rules are requested', async () => {
      await world.store.derived.startRebuild('rules', now);
      await runAllSteps();
      expect(await rulesOf('r-7')).toEqual(await deriveExpected('r-7'));
      expect(await rulesOf('r-7')).not.toEqual([]);
      expect(await listIds(['subject', 'p'])).toEqual([]);
    });

    test('block the searches that need them until the rebuild ends, and no others', async () => {
      await world.reopen(changeDerivation('Composition.subject'));
      const rejection = { kind: 'rebuilding', headers: { 'Retry-After': expect.stringMatching(/^\d+$/) } };
      const bySubject = toCriteria(['subject', 'p']);
      await expect(world.store.search(bySubject, 5)).rejects.toMatchObject(rejection);
      await expect(world.store.total(bySubject)).rejects.toMatchObject(rejection);
      const newVersion = world.next('more', 1, 'More');
      await expect(world.store.insertUnlessMatched(newVersion, bySubject)).rejects.toMatchObject(rejection);
      expect(await world.store.read('Composition', 'more')).toBeUndefined();
      expect((await listIds(['_id', 'r-1,r-2'])).length).toBe(2);
      const { rebuild } = await world.store.derived.state();
      expect(rebuild).toMatchObject({ parts: ['Composition.subject'], done: 0 });
      expect(await world.store.derived.runSlice({ now, milliseconds: 1 })).toBe(true);
      await runAllSteps();
      expect(await listIds(['subject', 'p'])).toEqual(ids);
      // No other rows were rebuilt.
      expect(await listIds(['status', 'unheard-of'])).toEqual([]);
      expect(await rulesOf('r-7')).toEqual([]);
    });

    test('resume their rebuild after a restart, but restart it after another program', async () => {
      await world.reopen(changeDerivation('Composition.subject'));
      await world.store.derived.runSlice({ now, milliseconds: 1 });
      const before = (await world.store.derived.state()).rebuild;
      expect(before?.done).toBeGreaterThan(0);
      await world.reopen(changeDerivation('Composition.subject'));
      expect((await world.store.derived.state()).rebuild).toEqual(before);
      await world.reopen(derivations);
      expect((await world.store.derived.state()).rebuild).toMatchObject({
        parts: ['Composition.subject'],
        done: 0,
      });
    });

    test('block an order until its columns are rebuilt, also on later pages', async () => {
      await world.reopen(changeDerivation('Composition/sort'));
      const byTitle = toCriteria(['_sort', '-title']);
      await expect(world.store.search(byTitle, 5)).rejects.toMatchObject({ kind: 'rebuilding' });
      await runAllSteps();
      const firstPage = await world.store.search(byTitle, 200);
      const { nextCursor: cursor } = firstPage;
      // A reader who turns pages meets changed records at their former position.
      await world.change('r-0', 'Zeppelin');
      const remainingPage = await world.store.search({ ...byTitle, ...(cursor && { cursor }) }, 500);
      const titles = [...idsOf(firstPage), ...idsOf(remainingPage)];
      expect(titles).toEqual([...ids].reverse());
    });

    test('are all replaced by a change of their record', async () => {
      await world.change('r-7', 'Mended');
      expect(await listIds(['subject', 'p'])).toEqual(['r-7']);
    });

    test('are corrected only for the given version', async () => {
      const { text } = misread('r-7', 'Letter r-7');
      const root = scan(text).root as JsonObject;
      const right = {
        index: indexRows('Composition', root),
        ...deriveIssues('Composition', root, { today: '2026-01-01' }),
      };
      await world.store.derived.correctRows('Composition', 'r-7', 2, right, now);
      expect(await listIds(['subject', 'p'])).toEqual([]);
      await world.store.derived.correctRows('Composition', 'r-7', 1, right, now);
      expect(await listIds(['subject', 'p'])).toEqual(['r-7']);
      expect(await rulesOf('r-7')).toEqual(await deriveExpected('r-7'));
    });
  });

  test('keeps findings about changes and from other sources when a record is validated again', async () => {
    const issues = [issue('narrative-stale', '/text'), issue('my/check', '/title'), issue('ext-1', '/a')];
    await world.store.insert(world.next('one', 1, 'One', { issues }));
    await world.store.derived.startRebuild('rules', now);
    await runAllSteps();
    const rules = await rulesOf('one');
    expect(rules).toEqual(expect.arrayContaining(['my/check /title', 'narrative-stale /text']));
    expect(rules).not.toContain('ext-1 /a');
  });

  test('keeps findings from other sources after a change with other ones', async () => {
    const issues = [issue('my/one', '/title'), issue('my/two', '')];
    await world.store.insert(world.next('one', 1, 'One', { issues }));
    await world.change('one', 'Two', { issues: [issue('my/three', ''), issue('ext-1', '/a')] });
    expect(await rulesOf('one')).toEqual(['ext-1 /a', 'my/one /title', 'my/two ']);
  });

  describe('a record with a due day', () => {
    /** First midnight after the end of the plan. */
    let midnight = 0;

    beforeEach(async () => {
      const members = {
        intent: 'plan',
        status: 'active',
        period: { start: '2025-01-01', end: '2025-12-31' },
      };
      const version = world.next('plan', 1, 'Plan', { type: 'CarePlan', members });
      const root = scan(version.text).root as JsonObject;
      const { issues, revalidateAtMs } = deriveIssues('CarePlan', root, {
        today: '2026-01-01',
      });
      await world.store.insert({
        ...version,
        issues,
        ...(revalidateAtMs !== undefined && { revalidateAtMs }),
      });
      midnight = revalidateAtMs ?? 0;
    });

    const listOverdue = async () =>
      (await rulesOf('plan', 'CarePlan')).filter((finding) => finding.startsWith('plan-overdue'));

    test('is validated on that day and not earlier', async () => {
      await runAllSteps(midnight - 1);
      expect(await listOverdue()).toEqual([]);
      await runAllSteps(midnight);
      expect(await listOverdue()).toHaveLength(1);
    });

    test('has a finding that starts on that day', async () => {
      await runAllSteps(midnight);
      const firstDay = dayNumber(midnight);
      const changes = await world.store.findings.compare(firstDay - 1, firstDay, dayText(firstDay));
      expect(changes.find(({ rule }) => rule === 'plan-overdue')).toMatchObject({ new: 1, persisting: 0 });
    });

    test('reports the last time all records were validated', async () => {
      const laterTime = Date.now() + 400 * day;
      await runAllSteps(laterTime);
      expect((await world.store.derived.state()).validatedAtMs).toBe(laterTime);
    });
  });
}
