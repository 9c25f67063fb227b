/**
 * What becomes of findings beside what the rules say: since which day each stands, how many ended on which day, and what
 * people said of it. Called within the transactions that change issue rows. Invariant: a finding is its record, its rule
 * and its pointer, which each version moves with its element; what people said leaves with it.
 */
import type { FindingMove } from '../../core/fhir/issue-row.ts';
import { placesAfter } from './finding-moves.ts';
import type { SqliteDatabase } from './sqlite/sqlite.ts';

interface FindingPlace {
  readonly pk: number;
  readonly rule: string;
  readonly pointer: string;
}

export type FindingLife = ReturnType<typeof findingLife>;

export function findingLife(database: SqliteDatabase) {
  const begin = database.prepare('UPDATE issue SET since = ? WHERE pk = ?');
  // A finding that began and ended on one day stood at the end of none.
  const count = database.prepare(
    `INSERT INTO finding_end (ended, since, rule, type, findings)
     SELECT ?, i.since, i.rule, r.type, 1 FROM issue i JOIN record r ON r.pk = i.record
     WHERE i.pk = ? AND i.since < ?
     ON CONFLICT (ended, since, rule, type) DO UPDATE SET findings = findings + 1`,
  );
  const countAll = database.prepare(
    `INSERT INTO finding_end (ended, since, rule, type, findings)
     SELECT ?, i.since, i.rule, r.type, count(*) FROM record r JOIN issue i ON i.record = r.pk
     WHERE r.pk = ? AND i.since < ? GROUP BY i.since, i.rule
     ON CONFLICT (ended, since, rule, type) DO UPDATE SET findings = findings + excluded.findings`,
  );
  const drop = database.prepare('DELETE FROM finding_state WHERE record = ?');
  const dropEnded = database.prepare(
    `DELETE FROM finding_state WHERE record = ? AND NOT EXISTS (SELECT 1 FROM issue i
       WHERE i.record = finding_state.record AND +i.rule = finding_state.rule AND i.pointer = finding_state.pointer)`,
  );
  const statementsOf = (table: string) => ({
    read: database.prepare<unknown[], FindingPlace>(
      `SELECT pk, rule, pointer FROM ${table} WHERE record = ?`,
    ),
    // A state of a finding that was found while the next version was made has no move: it yields.
    set: database.prepare(`UPDATE OR REPLACE ${table} SET pointer = ? WHERE pk = ?`),
    remove: database.prepare(`DELETE FROM ${table} WHERE pk = ?`),
  });
  const [issues, states] = [statementsOf('issue'), statementsOf('finding_state')];
  return {
    /** The finding in this row begins on the day. */
    begins: (row: number, day: number): void => void begin.run(day, row),
    /** The finding that stands in this row ends on the day; the row is about to be changed. */
    ends: (row: number, day: number): void => void count.run(day, row, day),
    /** The findings of a record move to their places in its next version; those without one end on the day. */
    moves(record: number, moves: readonly FindingMove[], day: number): void {
      const placeAfter = placesAfter(moves);
      for (const { pk, rule, pointer } of issues.read.all(record)) {
        const place = placeAfter(rule, pointer);
        if (place === undefined) {
          count.run(day, pk, day);
          issues.remove.run(pk);
        } else if (place !== pointer) issues.set.run(place, pk);
      }
      const moved: (readonly [place: string, pk: number])[] = [];
      for (const { pk, rule, pointer } of states.read.all(record)) {
        const place = placeAfter(rule, pointer);
        if (place === undefined) states.remove.run(pk);
        else if (place !== pointer) {
          // Out of the way first: its place may be another's until that one moves.
          states.set.run(String(pk), pk);
          moved.push([place, pk]);
        }
      }
      for (const change of moved) states.set.run(...change);
    },
    /** Findings of a record have ended: what was said of them goes. */
    settle: (record: number): void => void dropEnded.run(record),
    /** All findings of a record end, as it is about to be erased. */
    erases(record: number, day: number): void {
      countAll.run(day, record, day);
      drop.run(record);
    },
  };
}
