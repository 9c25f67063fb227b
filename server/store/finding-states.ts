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
import { doneEntry, type NewAuditEntry } from './audit-rows.ts';
import type { Doer } from './doer.ts';
import type { IssueQuery, WholeCount } from './issue-query.ts';
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

export interface MeasuredDay extends CheckCount {
  /** Its number. */
  readonly day: number;
}

/** What is kept of findings beside what the rules say: what people said, what each day came to, how long each stood. */
export interface FindingStore {
  /** Names of findings, record by record, and the place of the last; undefined where none is behind it. */
  keys(
    query: IssueQuery,
    after: string | undefined,
    limit: number,
  ): Promise<{ readonly keys: readonly FindingKey[]; readonly next: string | undefined }>;
  /** The groups with most findings. How many records each has in all is counted where that is `sized`: over the whole store. */
  groups(query: IssueQuery, by: Grouping, limit: number, sized?: boolean): Promise<FindingGroups['groups']>;
  /** Writes what somebody says of findings, with entries in the audit trail. */
  say(keys: readonly FindingKey[], writing: Writing): Promise<StatesChanged>;
  /** Puts a day's counts in the place of those that it has; forgets what ended too long before it. */
  write(day: number, counts: readonly CheckCount[]): Promise<void>;
  /** Those of the days from one to another, oldest first. */
  read(from: number, to: number): Promise<readonly MeasuredDay[]>;
  /** Over all rules: what is open of each category, and what is waived, on a day. */
  wholes(day: string): Promise<readonly WholeCount[]>;
  /** Of the findings at the end of one day and of a later one: what is new, resolved and persisting. */
  compare(from: number, to: number, today: string): Promise<readonly FindingChange[]>;
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
