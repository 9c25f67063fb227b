import type { FindingKey, FindingState, StateChange } from '../../../core/app/findings.ts';
import type { QualityFinding } from '../../../core/app/quality.ts';

type StateChangeInput = Omit<StateChange, 'findings' | 'filter'>;

/** Returns the requests that restore the states of findings before a change, in order. */
export function undoChanges(
  set: StateChange['set'],
  findings: readonly QualityFinding[],
): readonly StateChange[] {
  const groups = Map.groupBy(findings, ({ state }) => JSON.stringify(restore(set, state)));
  return [...groups.values()].flatMap((group) =>
    restore(set, group[0]?.state).map((input) => ({ ...input, findings: group.map(keyOf) })),
  );
}

/** A new waiver keeps the assignee, so the assignee comes first. */
function restore(set: StateChange['set'], state: FindingState | undefined): readonly StateChangeInput[] {
  const { assignee, reason, until, note } = state ?? {};
  if (set === 'note') return [{ set: 'note', ...(note !== undefined && { note }) }];
  const owner: StateChangeInput = assignee === undefined ? { set: 'open' } : { set: 'assigned', assignee };
  if (reason === undefined) return [owner];
  return [owner, { set: 'waived', reason, ...(until !== undefined && { until }) }];
}

function keyOf({ type, id, rule, pointer }: QualityFinding): FindingKey {
  return { type, id, rule, pointer };
}
