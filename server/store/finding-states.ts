import { pathOf } from '../../core/api/contract.ts';
import type {
  FindingKey,
  FindingState,
  SaidOfFindings,
  StateChange,
  StatesChanged,
} from '../../core/app/findings.ts';
import { perType } from '../../core/fhir/resource.ts';
import type { NewAuditEntry } from './audit-rows.ts';
import type { AuditTrail } from './sqlite/audit-trail.ts';
import { byOf, type Doer } from './doer.ts';
import { isOfType, type Value } from './sql.ts';
import type { SqliteDatabase } from './sqlite/sqlite.ts';
import type { WriteQueue } from './sqlite/write-queue.ts';

/** The columns that a change sets; the others stay as they are. */
export const setters: Readonly<Record<StateChange['set'], string>> = {
  open: 'assignee = NULL, waived = NULL, until = NULL',
  assigned: 'assignee = excluded.assignee, waived = NULL, until = NULL',
  waived: 'waived = excluded.waived, until = excluded.until',
  note: 'note = excluded.note',
};

interface StateParts {
  readonly database: SqliteDatabase;
  readonly writes: WriteQueue;
  readonly trail: AuditTrail;
}

export interface Writing {
  readonly said: SaidOfFindings;
  readonly doer: Doer;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Writes what is said of findings, with an entry of the audit trail for each record, in one transaction; those that
 * are there no more are counted.
 */
export async function sayOfFindings(
  { database, writes, trail }: StateParts,
  keys: readonly FindingKey[],
  writing: Writing,
): Promise<StatesChanged> {
  return writes.add(() => {
    const write = writer(database, writing);
    const records = new Map<string, number>();
    for (const key of keys) {
      if (!write(key)) continue;
      const path = pathOf(key.type, key.id);
      records.set(path, (records.get(path) ?? 0) + 1);
    }
    trail.add([...records].map(([path, findings]) => entryOf(path, findings, writing)));
    const changed = [...records.values()].reduce((sum, one) => sum + one, 0);
    return { changed, gone: keys.length - changed };
  });
}

function writer(database: SqliteDatabase, { said, doer, now }: Writing): (key: FindingKey) => boolean {
  const { assignee = null, reason = null, until = null, note = null } = said;
  const statements = perType((type) =>
    database.prepare(
      `INSERT INTO finding_state (record, rule, pointer, assignee, waived, until, note, who, time)
       SELECT i.record, i.rule, i.pointer, ?, ?, ?, ?, ?, ? FROM record r CROSS JOIN issue i ON i.record = r.pk
       WHERE ${isOfType('r', type)} AND r.id = ? AND +i.rule = ? AND i.pointer = ? LIMIT 1
       ON CONFLICT (record, rule, pointer) DO UPDATE SET ${setters[said.set]}, who = excluded.who, time = excluded.time`,
    ),
  );
  const by = doer.person ?? doer.who;
  return ({ type, id, rule, pointer }) =>
    statements[type].run(assignee, reason, until, note, by, now, id, rule, pointer).changes > 0;
}

/** Of a record's findings it names the number alone: a reason may speak of a patient, and leaves with the record. */
export function entryOf(path: string, findings: number, { said, doer, now }: Writing): NewAuditEntry {
  const what = `${path}?set=${said.set}&findings=${findings}`;
  const { requestId } = doer;
  return { time: now, ...byOf(doer), action: 'finding', what, status: requestId === '' ? 0 : 200, requestId };
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
