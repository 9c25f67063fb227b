import type { SqliteDatabase } from './sqlite.ts';
import type { NewVersion } from './store.ts';

type Cell = string | number | null;

/** A table of rows that describe a record: its columns, and what a version puts into them. */
interface IndexTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: (version: NewVersion) => Cell[][];
}

const tables: readonly IndexTable[] = [
  {
    name: 'reference',
    columns: ['key', 'target', 'target_type', 'target_base'],
    rows: ({ index }) => index.references.map(({ key, target, type, base }) => [key, target, type, base]),
  },
  {
    name: 'token',
    columns: ['key', 'code', 'system'],
    rows: ({ index }) => index.tokens.map(({ key, code, system }) => [key, code, system]),
  },
  {
    name: 'date_range',
    columns: ['key', 'low', 'high'],
    rows: ({ index }) => index.dates.map(({ key, low, high }) => [key, low, high]),
  },
  {
    name: 'string',
    columns: ['key', 'folded', 'exact'],
    rows: ({ index }) => index.strings.map(({ key, folded, exact }) => [key, folded, exact]),
  },
  {
    name: 'issue',
    columns: ['rule', 'severity', 'category', 'pointer'],
    rows: ({ issues }) =>
      issues.map(({ rule, severity, category, pointer }) => [rule, severity, category, pointer]),
  },
];

/** Writes the rows that describe a record, and only where they differ from those that stand: most changes touch none. */
export function indexWriter(database: SqliteDatabase) {
  const statements = tables.map(({ name, columns, rows }) => {
    const list = columns.join(', ');
    return {
      rows,
      read: database
        .prepare<unknown[], Cell[]>(`SELECT ${list} FROM ${name} WHERE record = ? ORDER BY rowid`)
        .raw(),
      clear: database.prepare(`DELETE FROM ${name} WHERE record = ?`),
      add: database.prepare(
        `INSERT INTO ${name} (record, ${list}) VALUES (?${', ?'.repeat(columns.length)})`,
      ),
    };
  });
  return {
    add(record: number | bigint, version: NewVersion): void {
      for (const { rows, add } of statements) {
        for (const row of rows(version)) add.run(record, ...row);
      }
    },
    replace(record: number | bigint, version: NewVersion): void {
      for (const { rows, read, clear, add } of statements) {
        const next = rows(version);
        if (same(read.all(record), next)) continue;
        clear.run(record);
        for (const row of next) add.run(record, ...row);
      }
    },
  };
}

function same(left: readonly Cell[][], right: readonly Cell[][]): boolean {
  return (
    left.length === right.length &&
    left.every((row, index) => row.every((cell, column) => cell === right[index]?.[column]))
  );
}
