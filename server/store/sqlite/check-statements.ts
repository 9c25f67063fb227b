import { perType, type ResourceType } from '../../../core/fhir/resource.ts';
import { searchedColumns } from '../checksum.ts';
import { foundIssueWriter } from './found-issues.ts';
import { isOfType } from '../sql.ts';
import { prepare, preparePluck, prepareRaw, type SqliteDatabase } from '../../sqlite/sqlite.ts';

interface ProgressRow {
  readonly slot: number;
  readonly id: string;
  readonly type: ResourceType;
  readonly stamp: string;
  readonly done: number;
  readonly halted: number;
}

type TextRow = [version: number, record: number, type: ResourceType, body: unknown, sum: unknown];

export type CheckStatements = ReturnType<typeof checkStatements>;

/** Prepares the statements of custom checks. */
export function checkStatements(database: SqliteDatabase) {
  return {
    slots: prepare<ProgressRow>(database, 'SELECT * FROM check_slot ORDER BY slot'),
    setSlot: prepare(
      database,
      'UPDATE check_slot SET type = ?, stamp = ?, done = 0, halted = 0 WHERE slot = ?',
    ),
    addSlot: prepare(
      database,
      'INSERT INTO check_slot (slot, id, type, stamp, done, halted) VALUES (?, ?, ?, ?, 0, 0)',
    ),
    begin: prepare(database, 'UPDATE check_slot SET done = 0, halted = 0'),
    advance: prepare(database, 'UPDATE check_slot SET done = ?, halted = max(halted, ?) WHERE slot = ?'),
    dropSlot: prepare(database, 'DELETE FROM check_slot WHERE slot = ?'),
    /** Returns the latest version. */
    newest: preparePluck<number>(database, 'SELECT max(pk) FROM version'),
    /** Returns the last of the next versions. */
    window: preparePluck<number>(
      database,
      'SELECT max(pk) FROM (SELECT pk FROM version WHERE pk > ? ORDER BY pk LIMIT ?)',
    ),
    /** Lists current versions between two primary keys. */
    texts: prepareRaw<TextRow>(
      database,
      `SELECT v.pk, r.pk, r.type, ${searchedColumns('v')} FROM version v CROSS JOIN record r
           ON r.pk = v.record AND r.current = v.pk WHERE v.pk > ? AND v.pk <= ? ORDER BY v.pk`,
    ),
    current: preparePluck<number>(database, 'SELECT current FROM record WHERE pk = ?'),
    result: prepareRaw<[number, number]>(
      database,
      'SELECT applied, skipped FROM check_result WHERE record = ?',
    ),
    setResult: prepare(
      database,
      `INSERT INTO check_result (record, applied, skipped) VALUES (?, ?, ?)
       ON CONFLICT (record) DO UPDATE SET applied = excluded.applied, skipped = excluded.skipped`,
    ),
    dropResult: prepare(database, 'DELETE FROM check_result WHERE record = ?'),
    listSkippedBy: preparePluck<string>(
      database,
      'SELECT r.id FROM check_result c JOIN record r ON r.pk = c.record WHERE c.skipped & ? ORDER BY r.id LIMIT ?',
    ),
    sample: perType((type) =>
      prepareRaw<[string, unknown, unknown]>(
        database,
        `SELECT r.id, ${searchedColumns('v')} FROM record r CROSS JOIN version v ON v.pk = r.current
           WHERE ${isOfType('r', type)} AND r.id > ? ORDER BY r.id LIMIT ?`,
      ),
    ),
    writeFound: foundIssueWriter(database),
  };
}
