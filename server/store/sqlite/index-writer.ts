import type { DerivedRows } from '../../../core/derive/derive.ts';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { rowKey } from '../../sqlite/row-key.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';
import { recordTables, sumOfCells, type Cell, type Scope } from '../index-tables.ts';
import { findingLife, type FindingLife } from './finding-life.ts';

/** Writes the rows that describe a record. Only rows that differ are written: most changes affect none. */
export function indexWriter(database: SqliteDatabase) {
  const statements = recordTables.map(({ name, columns, rows }) => {
    const list = columns.join(', ');
    const [, ...values] = columns;
    return {
      name,
      rows,
      read: database
        .prepare<unknown[], Cell[]>(`SELECT pk, ${list} FROM ${name} WHERE pk BETWEEN ? AND ? ORDER BY pk`)
        .raw(),
      add: database.prepare(`INSERT INTO ${name} (pk, ${list}) VALUES (?${', ?'.repeat(columns.length)})`),
      set: database.prepare(
        `UPDATE ${name} SET ${values.map((column) => `${column} = ?`).join(', ')} WHERE pk = ?`,
      ),
      remove: database.prepare(`DELETE FROM ${name} WHERE pk = ?`),
    };
  });
  type Table = (typeof statements)[number];
  // A read-only file of an older version lacks these tables.
  let life: FindingLife | undefined;

  function readExisting({ read: readStatement }: Table, record: number): ExistingRow[] {
    return readStatement
      .all(rowKey(record, 0), rowKey(record + 1, 0) - 1)
      .map(([pk, ...cells]) => ({ pk: Number(pk), cells }));
  }

  /**
   * Replaces existing rows by the expected ones. The keys of `recordRows` are in use.
   * Issue rows have a start day. A changed pointer makes a new finding.
   */
  function replaceRows(
    { name, add, set, remove }: Table,
    record: number,
    { expected, existing, recordRows, day }: RowReplacement,
  ): void {
    const issueLife = name === 'issue' ? (life ??= findingLife(database)) : undefined;
    const keys = new Set(recordRows.map(({ pk }) => pk));
    const surplus = existing.filter(({ cells }) => !take(expected, (row) => sameRow(row, cells)));
    for (const { pk, cells } of surplus) {
      const sameIssue = issueLife ? take(expected, (row) => sameFinding(row, cells)) : undefined;
      const successor = sameIssue ?? take(expected, ([firstCell]) => firstCell === cells[0]);
      if (!sameIssue) issueLife?.ends(pk, day);
      if (successor) {
        set.run(...successor.slice(1), pk);
        if (!sameIssue) issueLife?.begins(pk, day);
      } else {
        remove.run(pk);
        keys.delete(pk);
      }
    }
    let freeKey = rowKey(record, 0);
    for (const row of expected) {
      while (keys.has(freeKey)) freeKey += 1;
      add.run(freeKey, ...row);
      issueLife?.begins(freeKey, day);
      freeKey += 1;
    }
    if (existing.length > 0) issueLife?.settle(record);
  }

  return {
    /**
     * Replaces the rows of a record by the rows of `next`, within the scope. Returns the tables that differed.
     * `write: false` changes nothing. Findings begin and end on `day`; it is unused without issues in the
     * scope.
     */
    reconcile(record: number, derivedRows: DerivedRows, scope: Scope, isWriting = true, day = 0): string[] {
      const changedTables: string[] = [];
      for (const table of statements) {
        const isIssue = table.name === 'issue';
        if (isIssue ? !scope.issues : !scope.index) continue;
        const isInScope = ([key]: Cell[]) => isIssue || scope.hasKey(key);
        const recordRows = readExisting(table, record);
        const existing = recordRows.filter(({ cells }) => isInScope(cells));
        const expected = table.rows(derivedRows).filter(isInScope);
        if (sameRows(existing, expected)) continue;
        changedTables.push(table.name);
        if (isWriting) replaceRows(table, record, { expected, existing, recordRows, day });
      }
      return changedTables;
    },
  };
}

/** A stored row. */
interface ExistingRow {
  readonly pk: number;
  readonly cells: Cell[];
}

interface RowReplacement {
  readonly expected: Cell[][];
  readonly existing: readonly ExistingRow[];
  readonly recordRows: readonly ExistingRow[];
  readonly day: number;
}

/** Returns a function that reads the issues of a record. */
export function listExistingIssues(database: SqliteDatabase) {
  const selectIssues = database.prepare<unknown[], IssueRow>(
    'SELECT rule, severity, category, pointer FROM issue WHERE record = ? ORDER BY pk',
  );
  return (record: number): IssueRow[] => selectIssues.all(record);
}

/**
 * Returns a function that computes the checksum of a record's issue rows. They may be older than its text,
 * and no other value identifies them.
 */
export function issueSum(database: SqliteDatabase): (record: number) => number {
  const selectCells = database
    .prepare<unknown[], Cell[]>(
      'SELECT rule, severity, category, pointer FROM issue WHERE pk BETWEEN ? AND ? ORDER BY pk',
    )
    .raw();
  return (record) => sumOfCells(selectCells.all(rowKey(record, 0), rowKey(record + 1, 0) - 1));
}

/** Removes and returns the first row that fits. */
function take(rows: Cell[][], fits: (row: Cell[]) => boolean): Cell[] | undefined {
  const index = rows.findIndex(fits);
  return index === -1 ? undefined : rows.splice(index, 1)[0];
}

/** Returns true if two issue rows have the same rule and pointer. */
function sameFinding(row: readonly Cell[], otherRow: readonly Cell[]): boolean {
  return row[0] === otherRow[0] && row.at(-1) === otherRow.at(-1);
}

/** Returns true if the same rows exist, in any order. */
function sameRows(existing: readonly ExistingRow[], expected: readonly Cell[][]): boolean {
  if (existing.length !== expected.length) return false;
  if (existing.every(({ cells }, index) => sameRow(cells, expected[index] ?? []))) return true;
  return setOf(existing.map(({ cells }) => cells)) === setOf(expected);
}

/** Returns a text that is equal for equal rows, in any order. */
function setOf(rows: readonly Cell[][]): string {
  const texts = rows.map((row) => JSON.stringify(row));
  return texts.sort().join();
}

function sameRow(row: readonly Cell[], otherRow: readonly Cell[]): boolean {
  return row.every((cell, column) => cell === otherRow[column]);
}
