import type { Derived } from '../../core/derive/derive.ts';
import type { IndexRows } from '../../core/fhir/index-rows.ts';
import type { IssueRow } from '../../core/fhir/issue-row.ts';
import { keyNumber } from '../../core/fhir/search-parameters.ts';
import { quickSumOf } from './checksum.ts';
import { findingLife, type FindingLife } from './finding-life.ts';
import { rowKey } from './row-key.ts';
import type { SqliteDatabase } from './sqlite/sqlite.ts';

type Cell = string | number | null;

/** A table of rows that describe a record: its columns, the first of which says what a row is of, and its rows. */
interface RecordTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: (derived: Derived) => Cell[][];
}

const keyColumn = ['key', 'integer'] as const;

/** The tables that searches look at: their columns with PostgreSQL's types, the key in front, and their rows. */
export const indexTables: readonly {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: 'integer' | 'bigint' | 'text'])[];
  readonly rows: (index: IndexRows) => Cell[][];
}[] = [
  {
    name: 'reference',
    columns: [keyColumn, ['target', 'text'], ['target_type', 'text'], ['target_base', 'text']],
    rows: ({ references }) =>
      references.map(({ key, target, type, base }) => [keyNumber(key), target, type, base]),
  },
  {
    name: 'token',
    columns: [keyColumn, ['code', 'text'], ['system', 'text']],
    rows: ({ tokens }) => tokens.map(({ key, code, system }) => [keyNumber(key), code, system]),
  },
  {
    name: 'date_range',
    columns: [keyColumn, ['low', 'bigint'], ['high', 'bigint']],
    rows: ({ dates }) => dates.map(({ key, low, high }) => [keyNumber(key), low, high]),
  },
  {
    name: 'string',
    columns: [keyColumn, ['folded', 'text'], ['exact', 'text']],
    rows: ({ strings }) => strings.map(({ key, folded, exact }) => [keyNumber(key), folded, exact]),
  },
];

const tables: readonly RecordTable[] = [
  ...indexTables.map(({ name, columns, rows }) => ({
    ...{ name, columns: columns.map(([column]) => column) },
    rows: ({ index }: Derived) => rows(index),
  })),
  { name: 'issue', columns: ['rule', 'severity', 'category', 'pointer'], rows: issueCells },
];

function issueCells({ issues }: Pick<Derived, 'issues'>): Cell[][] {
  return issues.map(({ rule, severity, category, pointer }) => [rule, severity, category, pointer]);
}

/** Writes the rows that describe a record, and only those that differ: most changes touch none. */
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
  type Table = (typeof statements)[number];
  // A file of an older form, which is only looked at, has no such tables.
  let life: FindingLife | undefined;

  function standingIn({ read }: Table, record: number): Standing[] {
    return read
      .all(rowKey(record, 0), rowKey(record + 1, 0) - 1)
      .map(([pk, ...cells]) => ({ pk: Number(pk), cells }));
  }

  /**
   * Turns rows that stand into those that are wanted; `all` are the record's, whose keys are taken. Issue rows live by
   * `day`; a finding at another place of the record is another finding.
   */
  function turn(
    { name, add, set, remove }: Table,
    record: number,
    { wanted, standing, all, day }: Turning,
  ): void {
    const lives = name === 'issue' ? (life ??= findingLife(database)) : undefined;
    const keys = new Set(all.map(({ pk }) => pk));
    const surplus = standing.filter(({ cells }) => !take(wanted, (row) => sameRow(row, cells)));
    for (const { pk, cells } of surplus) {
      const stays = lives ? take(wanted, (row) => sameFinding(row, cells)) : undefined;
      const successor = stays ?? take(wanted, ([first]) => first === cells[0]);
      if (!stays) lives?.ends(pk, day);
      if (successor) {
        set.run(...successor.slice(1), pk);
        if (!stays) lives?.begins(pk, day);
      } else {
        remove.run(pk);
        keys.delete(pk);
      }
    }
    let free = rowKey(record, 0);
    for (const row of wanted) {
      while (keys.has(free)) free += 1;
      add.run(free, ...row);
      lives?.begins(free, day);
      free += 1;
    }
    if (standing.length > 0) lives?.settle(record);
  }

  return {
    /**
     * Turns the rows that stand, whatever made them, into those of `next`, as far as the scope reaches; answers the
     * tables in which any differed. Where `write` is false nothing is changed. Findings begin and end on the day, which is not
     * looked at where the scope has none.
     */
    mend(record: number, next: Derived, scope: Scope, write = true, day = 0): string[] {
      const changed: string[] = [];
      for (const table of statements) {
        const isIssue = table.name === 'issue';
        if (isIssue ? !scope.issues : !scope.index) continue;
        const isOfScope = ([key]: Cell[]) => isIssue || scope.hasKey(key);
        const all = standingIn(table, record);
        const standing = all.filter(({ cells }) => isOfScope(cells));
        const wanted = table.rows(next).filter(isOfScope);
        if (sameRows(standing, wanted)) continue;
        changed.push(table.name);
        if (write) turn(table, record, { wanted, standing, all, day });
      }
      return changed;
    },
  };
}

/** A row as it stands in its table. */
interface Standing {
  readonly pk: number;
  readonly cells: Cell[];
}

interface Turning {
  readonly wanted: Cell[][];
  readonly standing: readonly Standing[];
  readonly all: readonly Standing[];
  readonly day: number;
}

/** Which of a record's rows are meant. */
export interface Scope {
  readonly issues: boolean;
  /** Whether index rows are among them, and which by the number of their key. */
  readonly index: boolean;
  readonly hasKey: (key: unknown) => boolean;
}

/** What sorts a record, by its column; each has an index of its own, which is left alone where its value stays. */
export const sortColumns = [
  ['sort_date', 'date'],
  ['status', 'status'],
  ['title', 'title'],
] as const;

/** These columns of a row. */
export interface SortColumns {
  readonly sort_date: number;
  readonly status: string;
  readonly title: string;
}

/** Whether a row has in them what its text gives. */
export function isSorted(row: SortColumns, sort: IndexRows['sort']): boolean {
  return sortColumns.every(([column, key]) => row[column] === sort[key]);
}

/** The issues of a record as they stand. */
export function standingIssues(database: SqliteDatabase) {
  const read = database.prepare<unknown[], IssueRow>(
    'SELECT rule, severity, category, pointer FROM issue WHERE record = ? ORDER BY pk',
  );
  return (record: number): IssueRow[] => read.all(record);
}

/** The tables of rows that describe a record. */
export const indexTableNames: readonly string[] = tables.map(({ name }) => name);

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
export function issueSumOf(described: Pick<Derived, 'issues'>): number {
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

/** Whether two issue rows have the same rule and pointer. */
function sameFinding(left: readonly Cell[], right: readonly Cell[]): boolean {
  return left[0] === right[0] && left.at(-1) === right.at(-1);
}

/** Whether the same rows stand there, in whatever order. */
function sameRows(standing: readonly Standing[], wanted: readonly Cell[][]): boolean {
  if (standing.length !== wanted.length) return false;
  if (standing.every(({ cells }, at) => sameRow(cells, wanted[at] ?? []))) return true;
  return setOf(standing.map(({ cells }) => cells)) === setOf(wanted);
}

/** The same text for the same rows, in whatever order. */
function setOf(rows: readonly Cell[][]): string {
  const texts = rows.map((row) => JSON.stringify(row));
  return texts.sort().join();
}

function sameRow(left: readonly Cell[], right: readonly Cell[]): boolean {
  return left.every((cell, column) => cell === right[column]);
}
