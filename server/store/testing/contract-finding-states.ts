import { beforeEach, describe, expect, test } from 'vitest';
import { dayNumber } from '../../../core/app/days.ts';
import type { SaidOfFindings } from '../../../core/app/findings.ts';
import { issueRows } from '../../../core/derive/derive.ts';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { validate } from '../../../core/fhir/validation/validate.ts';
import { VersionPair } from '../../../core/fhir/validation/version-pair.ts';
import { objectIn } from '../../../core/json/scan.ts';
import { issue, worldOf, type Engine } from './contract-store.ts';

const rule = 'schema-code';
/** Of a check of the steward's own. */
const own = 'my/named';
const begun = Date.UTC(2026, 0, 1, 12);
const later = '2026-01-05T12:00:00.000Z';

interface Activity {
  readonly name: string;
  readonly status: string;
}
const a = { name: 'A', status: 'begun' };
const b = { name: 'B', status: 'paused' };
const c = { name: 'C', status: 'done' };
const fresh = { name: 'D', status: 'resumed' };
const sound = { name: 'E', status: 'completed' };

/** What people say of findings follows the elements of the record from version to version. */
export function findingStates(engine: Engine): void {
  const world = worldOf(engine);

  /** Returns a version with these activities, as the service makes it of the version before. */
  async function versionOf(all: readonly Activity[], elsewhere: readonly IssueRow[] = []) {
    const standing = await world.store.read('CarePlan', 'plan');
    const activity = all.map(({ name, status }) => ({ detail: { status, description: name } }));
    const members = { intent: 'plan', status: 'active', activity };
    const next = world.next('plan', (standing?.version ?? 0) + 1, 'Plan', { type: 'CarePlan', members });
    const after = objectIn(next.text);
    const before = standing && 'text' in standing ? objectIn(standing.text) : undefined;
    if (!after) throw new TypeError('The plan is no object.');
    const issues = [...issueRows(validate(after, 'CarePlan', { today: '2026-01-01' })), ...elsewhere];
    if (!before) return { ...next, issues };
    const movedIssues = new VersionPair(before, after).movedIssues(await listed());
    return { ...next, issues, movedIssues, lastUpdated: later };
  }

  async function write(...all: Activity[]): Promise<void> {
    const next = await versionOf(all);
    expect(await world.store.replace(next, next.version - 1)).toBe('stored');
  }

  const listed = () => world.store.issues({ group: { by: 'record', key: 'CarePlan/plan' } }, undefined, 100);
  /** Returns what was said of the findings, in the order of the activities. */
  async function said(of = rule): Promise<string[]> {
    const found = (await listed()).filter((one) => one.rule === of);
    return found
      .map(({ pointer, state }) => `${pointer.split('/')[2]} ${state?.reason ?? state?.assignee ?? 'open'}`)
      .sort();
  }
  const say = (what: SaidOfFindings, at: number, of = rule) =>
    world.store.findings.say(
      [{ type: 'CarePlan', id: 'plan', rule: of, pointer: `/activity/${at}/detail/status` }],
      { said: what, doer: { who: 'test', requestId: 'r-1' }, now: begun },
    );

  beforeEach(async () => {
    await world.store.insert(await versionOf([a, b, c], [issue(own, '/activity/1/detail/status')]));
    await say({ set: 'waived', reason: 'Known.' }, 0);
    await say({ set: 'assigned', assignee: 'Ada' }, 1);
    await say({ set: 'waived', reason: 'Ours.' }, 1, own);
  });

  test.each<[string, readonly Activity[], string[], string[]]>([
    ['an item in front is removed', [b, c], ['0 Ada', '1 open'], ['0 Ours.']],
    [
      'an item is inserted in front',
      [fresh, a, b, c],
      ['0 open', '1 Known.', '2 Ada', '3 open'],
      ['2 Ours.'],
    ],
    ['items change places', [b, a, c], ['0 Ada', '1 Known.', '2 open'], ['0 Ours.']],
    ['the last item comes first', [c, a, b], ['0 open', '1 Known.', '2 Ada'], ['2 Ours.']],
    ['another item is corrected', [sound, b, c], ['1 Ada', '2 open'], ['1 Ours.']],
  ])('keeps the state with its element if %s', async (_what, all, states, ownStates) => {
    await write(...all);
    expect(await said()).toEqual(states);
    expect(await said(own)).toEqual(ownStates);
  });

  test('drops the state of a removed element, though another error takes its place', async () => {
    await write(b, c);
    expect(await said()).toEqual(['0 Ada', '1 open']);
    await write(a, b, c);
    expect(await said()).toEqual(['0 open', '1 Ada', '2 open']);
  });

  test('drops the state of a rule about a value if the element has another wrong value', async () => {
    await write({ ...a, status: 'ended' }, b, c);
    expect(await said()).toEqual(['0 open', '1 Ada', '2 open']);
  });

  test('keeps the state of an own check if its element has another value', async () => {
    await write(a, { ...b, status: 'ended' }, c);
    expect(await said(own)).toEqual(['1 Ours.']);
  });

  test('keeps the states through many versions and a rebuild', async () => {
    await write(fresh, a, b, c);
    await write(c, fresh, b, a);
    await world.store.derived.renew('everything', Date.parse(later));
    while (await world.store.derived.step({ now: Date.parse(later), milliseconds: 5 }));
    expect(await said()).toEqual(['0 open', '1 open', '2 Ada', '3 Known.']);
    expect(await said(own)).toEqual(['2 Ours.']);
  });

  test('leaves the states alone if the version was not stored', async () => {
    const next = await versionOf([b, c]);
    expect(await world.store.replace(next, 9)).toBe('stale');
    expect(await said()).toEqual(['0 Known.', '1 Ada', '2 open']);
  });

  describe('counts of days', () => {
    const compared = async () => {
      const changes = await world.store.findings.compare(
        dayNumber(begun),
        dayNumber(Date.parse(later)),
        later,
      );
      return changes.find((one) => one.rule === rule && one.type === 'CarePlan');
    };

    test('count a moved finding as persisting', async () => {
      await write(fresh, c, a, b);
      expect(await compared()).toMatchObject({ new: 1, resolved: 0, persisting: 3 });
    });

    test('count the finding of a removed element as resolved', async () => {
      await write(c, b);
      expect(await compared()).toMatchObject({ new: 0, resolved: 1, persisting: 2 });
    });
  });
}
