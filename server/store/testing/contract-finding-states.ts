import { beforeEach, describe, expect, test } from 'vitest';
import { dayNumber } from '../../../core/types/definition/dates.ts';
import type { SaidOfFindings } from '../../../core/app/findings.ts';
import { issueRows } from '../../../core/derive/derive.ts';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { validate, VersionPair } from '../../../core/fhir/validation/validate.ts';
import { objectIn } from '../../../core/json/scan.ts';
import { issue, worldOf, type Engine } from './contract-store.ts';

const rule = 'schema-code';
/** A custom check. */
const ownRule = 'my/named';
const startMs = Date.UTC(2026, 0, 1, 12);
const laterTime = '2026-01-05T12:00:00.000Z';

interface Activity {
  readonly name: string;
  readonly status: string;
}
const a = { name: 'A', status: 'begun' };
const b = { name: 'B', status: 'paused' };
const c = { name: 'C', status: 'done' };
const fresh = { name: 'D', status: 'resumed' };
const corrected = { name: 'E', status: 'completed' };

/** Tests that states of findings follow their elements from version to version. */
export function findingStates(engine: Engine): void {
  const world = worldOf(engine);

  /** Creates the next version with these activities, as the service derives it from the current one. */
  async function versionOf(activities: readonly Activity[], otherIssues: readonly IssueRow[] = []) {
    const currentVersion = await world.store.read('CarePlan', 'plan');
    const activity = activities.map(({ name, status }) => ({ detail: { status, description: name } }));
    const members = { intent: 'plan', status: 'active', activity };
    const next = world.next('plan', (currentVersion?.version ?? 0) + 1, 'Plan', {
      type: 'CarePlan',
      members,
    });
    const after = objectIn(next.text);
    const before = currentVersion && 'text' in currentVersion ? objectIn(currentVersion.text) : undefined;
    if (!after) throw new TypeError('The plan is no object.');
    const issues = [...issueRows(validate(after, 'CarePlan', { today: '2026-01-01' })), ...otherIssues];
    if (!before) return { ...next, issues };
    const movedIssues = new VersionPair(before, after).movedIssues(await listIssues());
    return { ...next, issues, movedIssues, lastUpdated: laterTime };
  }

  async function write(...activities: Activity[]): Promise<void> {
    const next = await versionOf(activities);
    expect(await world.store.replace(next, next.version - 1)).toBe('stored');
  }

  const listIssues = () =>
    world.store.issues({ group: { grouping: 'record', key: 'CarePlan/plan' } }, undefined, 100);
  /** Lists the states of the findings in the order of the activities. */
  async function listStates(ruleId = rule): Promise<string[]> {
    const issues = (await listIssues()).filter((finding) => finding.rule === ruleId);
    return issues
      .map(({ pointer, state }) => `${pointer.split('/')[2]} ${state?.reason ?? state?.assignee ?? 'open'}`)
      .sort();
  }
  const setState = (newState: SaidOfFindings, index: number, ruleId = rule) =>
    world.store.findings.say(
      [{ type: 'CarePlan', id: 'plan', rule: ruleId, pointer: `/activity/${index}/detail/status` }],
      { newState, actor: { who: 'test', requestId: 'r-1' }, now: startMs },
    );

  beforeEach(async () => {
    await world.store.insert(await versionOf([a, b, c], [issue(ownRule, '/activity/1/detail/status')]));
    await setState({ set: 'waived', reason: 'Known.' }, 0);
    await setState({ set: 'assigned', assignee: 'Ada' }, 1);
    await setState({ set: 'waived', reason: 'Ours.' }, 1, ownRule);
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
    ['another item is corrected', [corrected, b, c], ['1 Ada', '2 open'], ['1 Ours.']],
  ])('keeps the state with its element if %s', async (_description, activities, states, ownStates) => {
    await write(...activities);
    expect(await listStates()).toEqual(states);
    expect(await listStates(ownRule)).toEqual(ownStates);
  });

  test('drops the state of a removed element if another error takes its place', async () => {
    await write(b, c);
    expect(await listStates()).toEqual(['0 Ada', '1 open']);
    await write(a, b, c);
    expect(await listStates()).toEqual(['0 open', '1 Ada', '2 open']);
  });

  test('drops the state of a rule about a value if the element has another wrong value', async () => {
    await write({ ...a, status: 'ended' }, b, c);
    expect(await listStates()).toEqual(['0 open', '1 Ada', '2 open']);
  });

  test('keeps the state of an own check if its element has another value', async () => {
    await write(a, { ...b, status: 'ended' }, c);
    expect(await listStates(ownRule)).toEqual(['1 Ours.']);
  });

  test('keeps the states through many versions and a rebuild', async () => {
    await write(fresh, a, b, c);
    await write(c, fresh, b, a);
    await world.store.derived.startRebuild('everything', Date.parse(laterTime));
    while (await world.store.derived.runSlice({ now: Date.parse(laterTime), milliseconds: 5 }));
    expect(await listStates()).toEqual(['0 open', '1 open', '2 Ada', '3 Known.']);
    expect(await listStates(ownRule)).toEqual(['2 Ours.']);
  });

  test('keeps the states if the version was not stored', async () => {
    const next = await versionOf([b, c]);
    expect(await world.store.replace(next, 9)).toBe('stale');
    expect(await listStates()).toEqual(['0 Known.', '1 Ada', '2 open']);
  });

  describe('counts of days', () => {
    const compareDays = async () => {
      const changes = await world.store.findings.compare(
        dayNumber(startMs),
        dayNumber(Date.parse(laterTime)),
        laterTime,
      );
      return changes.find((change) => change.rule === rule && change.type === 'CarePlan');
    };

    test('counts a moved finding as persisting', async () => {
      await write(fresh, c, a, b);
      expect(await compareDays()).toMatchObject({ new: 1, resolved: 0, persisting: 3 });
    });

    test('counts the finding of a removed element as resolved', async () => {
      await write(c, b);
      expect(await compareDays()).toMatchObject({ new: 0, resolved: 1, persisting: 2 });
    });
  });
}
