/**
 * Dates and states of findings: the day since each exists, counts of findings by end day, and states set by
 * people. Called within the transactions that change issue rows.
 *
 * Invariant: record, rule and pointer identify a finding. Each version moves the pointer with its element.
 * The state is removed with the finding.
 */
import type { FindingMove } from '../../../core/fhir/issue-row.ts';
import { createPointerMapper } from '../finding-moves.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';

interface FindingRow {
  readonly pk: number;
  readonly rule: string;
  readonly pointer: string;
}

export type FindingLife = ReturnType<typeof findingLife>;

export function findingLife(database: SqliteDatabase) {
  const setStart = database.prepare('UPDATE issue SET since = ? WHERE pk = ?');
  // A finding that begins and ends on one day is not counted.
  const countEnd = database.prepare(
    `INSERT INTO finding_end (ended, since, rule, type, findings)
     SELECT ?, i.since, i.rule, r.type, 1 FROM issue i JOIN record r ON r.pk = i.record
     WHERE i.pk = ? AND i.since < ?
     ON CONFLICT (ended, since, rule, type) DO UPDATE SET findings = findings + 1`,
  );
  const countAllEnds = database.prepare(
    `INSERT INTO finding_end (ended, since, rule, type, findings)
     SELECT ?, i.since, i.rule, r.type, count(*) FROM record r JOIN issue i ON i.record = r.pk
     WHERE r.pk = ? AND i.since < ? GROUP BY i.since, i.rule
     ON CONFLICT (ended, since, rule, type) DO UPDATE SET findings = findings + excluded.findings`,
  );
  const dropStates = database.prepare('DELETE FROM finding_state WHERE record = ?');
  const dropEndedStates = database.prepare(
    `DELETE FROM finding_state WHERE record = ? AND NOT EXISTS (SELECT 1 FROM issue i
       WHERE i.record = finding_state.record AND +i.rule = finding_state.rule AND i.pointer = finding_state.pointer)`,
  );
  const statementsOf = (table: string) => ({
    read: database.prepare<unknown[], FindingRow>(`SELECT pk, rule, pointer FROM ${table} WHERE record = ?`),
    // A state without a move was set while the next version was made. It is replaced.
    set: database.prepare(`UPDATE OR REPLACE ${table} SET pointer = ? WHERE pk = ?`),
    remove: database.prepare(`DELETE FROM ${table} WHERE pk = ?`),
  });
  const [issues, states] = [statementsOf('issue'), statementsOf('finding_state')];
  return {
    begins: (row: number, day: number): void => void setStart.run(day, row),
    /** The finding of this row ends on the day. Call it before the row changes. */
    ends: (row: number, day: number): void => void countEnd.run(day, row, day),
    /** Moves the findings of a record to their pointers in the next version. Others end on the day. */
    moves(record: number, moves: readonly FindingMove[], day: number): void {
      const getNextPointer = createPointerMapper(moves);
      for (const { pk, rule, pointer } of issues.read.all(record)) {
        const nextPointer = getNextPointer(rule, pointer);
        if (nextPointer === undefined) {
          countEnd.run(day, pk, day);
          issues.remove.run(pk);
        } else if (nextPointer !== pointer) issues.set.run(nextPointer, pk);
      }
      const movedStates: (readonly [place: string, pk: number])[] = [];
      for (const { pk, rule, pointer } of states.read.all(record)) {
        const nextPointer = getNextPointer(rule, pointer);
        if (nextPointer === undefined) states.remove.run(pk);
        else if (nextPointer !== pointer) {
          // Uses a temporary pointer first, because another state may have this pointer until it moves.
          states.set.run(String(pk), pk);
          movedStates.push([nextPointer, pk]);
        }
      }
      for (const change of movedStates) states.set.run(...change);
    },
    settle: (record: number): void => void dropEndedStates.run(record),
    /** Ends all findings of a record before its erasure. */
    erases(record: number, day: number): void {
      countAllEnds.run(day, record, day);
      dropStates.run(record);
    },
  };
}
