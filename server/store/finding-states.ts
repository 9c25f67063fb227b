import { pathOf } from '../../core/api/contract.ts';
import type { FindingKey, FindingState, SaidOfFindings, StateChange } from '../../core/app/findings.ts';
import { doneEntry, type NewAuditEntry } from './audit-rows.ts';
import type { Doer } from './doer.ts';
import type { Value } from './sql.ts';

/** The columns that a change sets; the others stay as they are. */
export const setters: Readonly<Record<StateChange['set'], string>> = {
  open: 'assignee = NULL, waived = NULL, until = NULL',
  assigned: 'assignee = excluded.assignee, waived = NULL, until = NULL',
  waived: 'waived = excluded.waived, until = excluded.until',
  note: 'note = excluded.note',
};

export interface Writing {
  readonly said: SaidOfFindings;
  readonly doer: Doer;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * An entry for each record with findings of which something was said. It names their number alone: a reason may speak of a
 * patient, and leaves with the record.
 */
export function entriesOf(changed: readonly FindingKey[], { said, doer, now }: Writing): NewAuditEntry[] {
  return [...Map.groupBy(changed, ({ type, id }) => pathOf(type, id))].map(([path, findings]) => {
    const what = `${path}?set=${said.set}&findings=${findings.length}`;
    return doneEntry(doer, { time: now, action: 'finding', what, status: 200 });
  });
}

/** What the columns of `finding_state` say on a day; nothing where there is no row. */
export function stateOf(
  [assignee, waived, until, note, who, time]: Value[],
  today: string,
): { readonly state?: FindingState } {
  if (typeof who !== 'string') return {};
  const isWaived = waived !== null && (until === null || String(until) >= today);
  return {
    state: {
      state: isWaived ? 'waived' : assignee === null ? 'open' : 'assigned',
      ...(assignee !== null && { assignee: String(assignee) }),
      ...(waived !== null && { reason: String(waived) }),
      ...(until !== null && { until: String(until) }),
      ...(note !== null && { note: String(note) }),
      ...{ by: who, at: new Date(Number(time)).toISOString() },
    },
  };
}
