import { pathOf } from '../../core/api/contract.ts';
import type {
  FindingKey,
  FindingState,
  SaidOfFindings,
  StateChange,
  StatesChanged,
} from '../../core/app/findings.ts';
import type { CheckCount, FindingChange, FindingGroups } from '../../core/app/measures.ts';
import type { Grouping } from '../../core/app/quality.ts';
import { doneEntry, type NewAuditEntry } from './audit-chain.ts';
import type { Actor } from './actor.ts';
import type { IssueQuery, WholeCount } from './issue-query.ts';
import type { Value } from './sql.ts';

/** Columns that a change sets. Other columns stay. */
export const setters: Readonly<Record<StateChange['set'], string>> = {
  open: 'assignee = NULL, waived = NULL, until = NULL',
  assigned: 'assignee = excluded.assignee, waived = NULL, until = NULL',
  waived: 'waived = excluded.waived, until = excluded.until',
  note: 'note = excluded.note',
};

export interface FindingUpdate {
  readonly newState: SaidOfFindings;
  readonly actor: Actor;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface MeasuredDay extends CheckCount {
  readonly day: number;
}

/** Stored data about findings: states set by people, counts of each day, and durations. */
export interface FindingStore {
  /** Returns findings record by record, and the cursor of the last; undefined if none follow. */
  keys(
    query: IssueQuery,
    after: string | undefined,
    limit: number,
  ): Promise<{ readonly keys: readonly FindingKey[]; readonly next: string | undefined }>;
  /**
   * Returns the groups with most findings. `sized` also counts all records of each group, over the whole
   * store.
   */
  groups(
    query: IssueQuery,
    grouping: Grouping,
    limit: number,
    sized?: boolean,
  ): Promise<FindingGroups['groups']>;
  /** Writes the state of findings, with audit entries. */
  say(keys: readonly FindingKey[], update: FindingUpdate): Promise<StatesChanged>;
  /** Replaces the counts of a day. Deletes ends that are too old. */
  write(day: number, counts: readonly CheckCount[]): Promise<void>;
  /** Returns the counts of the days from one to another, oldest first. */
  read(from: number, to: number): Promise<readonly MeasuredDay[]>;
  /** Returns totals over all rules on a day: open findings by category, and waived findings. */
  wholes(day: string): Promise<readonly WholeCount[]>;
  /** Compares the findings at the end of two days: new, resolved and persisting. */
  compare(firstDay: number, lastDay: number, today: string): Promise<readonly FindingChange[]>;
}

/**
 * Creates an audit entry for each record with changed findings. It has only their number: a reason may
 * mention a patient and must be erased with the record.
 */
export function entriesOf(
  changedKeys: readonly FindingKey[],
  { newState, actor, now }: FindingUpdate,
): NewAuditEntry[] {
  return [...Map.groupBy(changedKeys, ({ type, id }) => pathOf(type, id))].map(([path, findings]) => {
    const target = `${path}?set=${newState.set}&findings=${findings.length}`;
    return doneEntry(actor, { time: now, action: 'finding', what: target, status: 200 });
  });
}

/** Converts the columns of `finding_state` to the state on a day. Empty without a row. */
export function stateOf(
  [assignee, waivedReason, until, note, actor, time]: Value[],
  today: string,
): { readonly state?: FindingState } {
  if (typeof actor !== 'string') return {};
  const isWaived = waivedReason !== null && (until === null || String(until) >= today);
  return {
    state: {
      state: isWaived ? 'waived' : assignee === null ? 'open' : 'assigned',
      ...(assignee !== null && { assignee: String(assignee) }),
      ...(waivedReason !== null && { reason: String(waivedReason) }),
      ...(until !== null && { until: String(until) }),
      ...(note !== null && { note: String(note) }),
      by: actor,
      at: new Date(Number(time)).toISOString(),
    },
  };
}
