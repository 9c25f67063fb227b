/** All that a records.db says of its records beside their texts, record by record, for comparing one with another. */
import { connect } from '../store/sqlite/sqlite.ts';

const tables = {
  reference: 'key, target, target_type, target_base',
  token: 'key, code, system',
  date_range: 'key, low, high',
  string: 'key, folded, exact',
  issue: 'rule, severity, category, pointer',
} as const;

/**
 * The rows of every derived table by record, in an order that does not depend on how they came there: what each record gives
 * by itself, without what others say of it.
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
    const sorted = ['record', 'version'].map((table) => [
      table,
      database
        .prepare(
          `SELECT type, id, version, sort_date, status, title FROM ${table} ORDER BY type, id, version`,
        )
        .raw()
        .all(),
    ]);
    const days = database.prepare('SELECT type, id, judge_again FROM record ORDER BY type, id').raw().all();
    return Object.fromEntries([...rows, ...sorted, ['days', days]]) as Record<string, unknown>;
  } finally {
    database.close();
  }
}

/** Makes a file one of another program: its rows are none of today's derivations, and some are wrong or missing. */
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
