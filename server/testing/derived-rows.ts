/** Reads the derived rows of a records.db in a stable form, to compare two files. */
import { connect } from '../sqlite/sqlite.ts';

const tables = {
  reference: 'key, target, target_type, target_base',
  token: 'key, code, system',
  date_range: 'key, low, high',
  string: 'key, folded, exact',
  issue: 'rule, severity, category, pointer',
} as const;

/**
 * Returns the rows of every derived table, sorted by record, so that the order of writing does not matter. Leaves out
 * findings that depend on other records.
 */
export function derivedRowsIn(path: string): Record<string, unknown> {
  const database = connect(path, { readonly: true });
  try {
    const rows = Object.entries(tables).map(([table, columns]) => [
      table,
      database
        .prepare(
          `SELECT r.type || '/' || r.id AS record, ${columns} FROM ${table} t JOIN record r ON r.pk = t.record
             ${table === 'issue' ? `WHERE instr(t.rule, '/') = 0` : ''}
           ORDER BY r.type, r.id, ${columns}`,
        )
        .raw()
        .all(),
    ]);
    const summaries = ['record', 'version'].map((table) => [
      table,
      database
        .prepare(
          `SELECT type, id, version, sort_date, status, title FROM ${table} ORDER BY type, id, version`,
        )
        .raw()
        .all(),
    ]);
    const days = database.prepare('SELECT type, id, judge_again FROM record ORDER BY type, id').raw().all();
    return Object.fromEntries([...rows, ...summaries, ['days', days]]) as Record<string, unknown>;
  } finally {
    database.close();
  }
}

/** Marks the derived rows as written by another program version, and makes some wrong or missing. */
export function ageDerivedRows(path: string): void {
  const database = connect(path);
  try {
    database.exec(`
      UPDATE derivation SET stamp = 'of another program';
      DELETE FROM reference WHERE record % 3 = 0;
      UPDATE token SET code = 'wrong' WHERE record % 4 = 0;
      DELETE FROM date_range WHERE record % 5 = 0;
      INSERT INTO string (pk, key, folded, exact) SELECT (pk << 22) + 4000000, 15, 'wrong', 'wrong' FROM record WHERE pk % 6 = 0;
      DELETE FROM issue WHERE record % 2 = 0 AND rule <> 'narrative-stale';
      UPDATE record SET issues_crc32 = NULL, judge_again = NULL WHERE pk % 2 = 0;
      UPDATE record SET title = 'wrong', sort_date = 0 WHERE pk % 7 = 0;
      UPDATE version SET title = 'wrong', sort_date = 0 WHERE record % 7 = 0;`);
  } finally {
    database.close();
  }
}
