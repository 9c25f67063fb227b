import type { IndexRows } from '../../core/fhir/index-rows.ts';
import { keyNumber } from '../../core/fhir/search-parameters.ts';
import { quickSumOf } from './checksum.ts';
import { rowKey } from './row-key.ts';
import type { SqliteDatabase } from './sqlite.ts';
import type { Described } from './store.ts';

type Cell = string | number | null;

/** A table of rows that describe a record: its columns, the first of which says what a row is of, and its rows. */
interface IndexTable {
  readonly name: string;
  readonly columns: readonly [string, ...string[]];
  readonly rows: (described: Described) => Cell[][];
}

const tables: readonly IndexTable[] = [
  {
    name: 'reference',
    columns: ['key', 'target', 'target_type', 'target_base'],
    rows: ({ index }) =>
      index.references.map(({ key, target, type, base }) => [keyNumber(key), target, type, base]),
  },
  {
    name: 'token',
    columns: ['key', 'code', 'system'],
    rows: ({ index }) => index.tokens.map(({ key, code, system }) => [keyNumber(key), code, system]),
  },
  {
    name: 'date_range',
    columns: ['key', 'low', 'high'],
    rows: ({ index }) => index.dates.map(({ key, low, high }) => [keyNumber(key), low, high]),
  },
  {
    name: 'string',
    columns: ['key', 'folded', 'exact'],
    rows: ({ index }) => index.strings.map(({ key, folded, exact }) => [keyNumber(key), folded, exact]),
  },
  {
    name: 'issue',
    columns: ['rule', 'severity', 'category', 'pointer'],
    rows: issueCells,
  },
];

function issueCells({ issues }: Pick<Described, 'issues'>): Cell[][] {
  return issues.map(({ rule, severity, category, pointer }) => [rule, severity, category, pointer]);
}

/** Writes the rows that describe a record, and only those that change: most changes touch none. */
export function indexWriter(database: SqliteDatabase) {
  const statements = tables.map(({ name, columns, rows }) => {
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
  return {
    add(record: number, described: Described): void {
      for (const { rows, add } of statements) {
        for (const [ordinal, row] of rows(described).entries()) add.run(rowKey(record, ordinal), ...row);
      }
    },

    /** Turns the rows of `before`, which stand, into those of `next`; answers the tables in which any changed. */
    replace(record: number, next: Described, before: Described): string[] {
      const changed: string[] = [];
      for (const { name, rows, read, add, set, remove } of statements) {
        const wanted = rows(next);
        if (equalRows(rows(before), wanted)) continue;
        changed.push(name);
        const standing = read
          .all(rowKey(record, 0), rowKey(record + 1, 0) - 1)
          .map(([pk, ...cells]) => ({ pk: Number(pk), cells }));
        const keys = new Set(standing.map(({ pk }) => pk));
        const surplus = standing.filter(({ cells }) => !take(wanted, (row) => sameRow(row, cells)));
        for (const { pk, cells } of surplus) {
          const successor = take(wanted, ([first]) => first === cells[0]);
          if (successor) set.run(...successor.slice(1), pk);
          else {
            remove.run(pk);
            keys.delete(pk);
          }
        }
        let free = rowKey(record, 0);
        for (const row of wanted) {
          while (keys.has(free)) free += 1;
          add.run(free, ...row);
          free += 1;
        }
      }
      return changed;
    },
  };
}

/** The tables of rows that describe a record. */
export const indexTableNames: readonly string[] = tables.map(({ name }) => name);

/**
 * Answers the tables whose rows are not those that a record's content gives. Issues are left out: they tell what was
 * known of the record on the day on which it was written, and have a sum ({@link issueSum}).
 */
export function indexChecker(database: SqliteDatabase): (record: number, index: IndexRows) => string[] {
  const statements = tables
    .filter(({ name }) => name !== 'issue')
    .map(({ name, columns, rows }) => ({
      name,
      rows,
      read: database
        .prepare<unknown[], Cell[]>(`SELECT ${columns.join(', ')} FROM ${name} WHERE pk BETWEEN ? AND ?`)
        .raw(),
    }));
  return (record, index) =>
    statements
      .filter(({ rows, read }) => {
        const wanted = rows({ index, issues: [] });
        const standing = read.all(rowKey(record, 0), rowKey(record + 1, 0) - 1);
        const surplus = standing.filter((cells) => !take(wanted, (row) => sameRow(row, cells)));
        return surplus.length > 0 || wanted.length > 0;
      })
      .map(({ name }) => name);
}

/**
 * Answers the sum of a record's issue rows as they stand: they may be of an older day than its text, and nothing else
 * tells what they were.
 */
export function issueSum(database: SqliteDatabase): (record: number) => number {
  const read = database
    .prepare<unknown[], Cell[]>(
      'SELECT rule, severity, category, pointer FROM issue WHERE pk BETWEEN ? AND ? ORDER BY pk',
    )
    .raw();
  return (record) => sumOfCells(read.all(rowKey(record, 0), rowKey(record + 1, 0) - 1));
}

/** What {@link issueSum} answers of a new record once its issue rows are added. */
export function issueSumOf(described: Pick<Described, 'issues'>): number {
  return sumOfCells(issueCells(described));
}

function sumOfCells(cells: Cell[][]): number {
  return quickSumOf(JSON.stringify(cells));
}

/** Takes the first row that fits out of the list. */
function take(rows: Cell[][], fits: (row: Cell[]) => boolean): Cell[] | undefined {
  const at = rows.findIndex(fits);
  return at === -1 ? undefined : rows.splice(at, 1)[0];
}

function equalRows(left: readonly Cell[][], right: readonly Cell[][]): boolean {
  return (
    left.length === right.length &&
    left.every((row, index) => {
      const other = right[index];
      return other !== undefined && sameRow(row, other);
    })
  );
}

function sameRow(left: readonly Cell[], right: readonly Cell[]): boolean {
  return left.every((cell, column) => cell === right[column]);
}
