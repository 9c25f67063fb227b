import { perType, type ResourceType } from '../../../core/fhir/resource.ts';
import { searchedColumns } from '../checksum.ts';
import { foundIssueWriter } from './found-issues.ts';
import { isOfType } from '../sql.ts';
import type { SqliteDatabase, Statement } from './sqlite.ts';

interface SlotRow {
  readonly slot: number;
  readonly id: string;
  readonly type: ResourceType;
  readonly stamp: string;
  readonly done: number;
  readonly halted: number;
}

type TextRow = [version: number, record: number, type: ResourceType, body: unknown, sum: unknown];

export interface CheckStatements {
  readonly slots: Statement<SlotRow>;
  readonly setSlot: Statement<unknown>;
  readonly addSlot: Statement<unknown>;
  readonly begin: Statement<unknown>;
  readonly advance: Statement<unknown>;
  readonly dropSlot: Statement<unknown>;
  /** The newest version. */
  readonly newest: Statement<number>;
  /** The last of so many versions behind another. */
  readonly window: Statement<number>;
  /** Current versions behind one, up to another. */
  readonly texts: Statement<TextRow>;
  readonly current: Statement<number>;
  readonly result: Statement<[applied: number, skipped: number]>;
  readonly setResult: Statement<unknown>;
  readonly dropResult: Statement<unknown>;
  readonly skippedBy: Statement<string>;
  readonly sample: Readonly<Record<ResourceType, Statement<[id: string, body: unknown, sum: unknown]>>>;
  readonly writeFound: ReturnType<typeof foundIssueWriter>;
}

/** What is asked and written of a steward's own checks. */
export function checkStatements(database: SqliteDatabase): CheckStatements {
  return {
    slots: database.prepare<unknown[], SlotRow>('SELECT * FROM check_slot ORDER BY slot'),
    setSlot: database.prepare(
      'UPDATE check_slot SET type = ?, stamp = ?, done = 0, halted = 0 WHERE slot = ?',
    ),
    addSlot: database.prepare(
      'INSERT INTO check_slot (slot, id, type, stamp, done, halted) VALUES (?, ?, ?, ?, 0, 0)',
    ),
    begin: database.prepare('UPDATE check_slot SET done = 0, halted = 0'),
    advance: database.prepare('UPDATE check_slot SET done = ?, halted = max(halted, ?) WHERE slot = ?'),
    dropSlot: database.prepare('DELETE FROM check_slot WHERE slot = ?'),
    newest: database.prepare<unknown[], number>('SELECT max(pk) FROM version').pluck(),
    window: database
      .prepare<unknown[], number>(
        'SELECT max(pk) FROM (SELECT pk FROM version WHERE pk > ? ORDER BY pk LIMIT ?)',
      )
      .pluck(),
    texts: database
      .prepare<unknown[], TextRow>(
        `SELECT v.pk, r.pk, r.type, ${searchedColumns('v')} FROM version v CROSS JOIN record r
           ON r.pk = v.record AND r.current = v.pk WHERE v.pk > ? AND v.pk <= ? ORDER BY v.pk`,
      )
      .raw(),
    current: database.prepare<unknown[], number>('SELECT current FROM record WHERE pk = ?').pluck(),
    result: database
      .prepare<unknown[], [number, number]>('SELECT applied, skipped FROM check_result WHERE record = ?')
      .raw(),
    setResult: database.prepare(
      `INSERT INTO check_result (record, applied, skipped) VALUES (?, ?, ?)
       ON CONFLICT (record) DO UPDATE SET applied = excluded.applied, skipped = excluded.skipped`,
    ),
    dropResult: database.prepare('DELETE FROM check_result WHERE record = ?'),
    skippedBy: database
      .prepare<unknown[], string>(
        'SELECT r.id FROM check_result c JOIN record r ON r.pk = c.record WHERE c.skipped & ? ORDER BY r.id LIMIT ?',
      )
      .pluck(),
    sample: perType((type) =>
      database
        .prepare<unknown[], [string, unknown, unknown]>(
          `SELECT r.id, ${searchedColumns('v')} FROM record r CROSS JOIN version v ON v.pk = r.current
           WHERE ${isOfType('r', type)} AND r.id > ? ORDER BY r.id LIMIT ?`,
        )
        .raw(),
    ),
    writeFound: foundIssueWriter(database),
  };
}
