/** Compares the schema of a file with the result of the migrations, object by object. Called by integrity checks. */
import { take, type Migrations } from './migrate.ts';
import { typeIndexStatement } from './type-indexes.ts';
import { closing, connect, prepareRaw, type SqliteDatabase } from './sqlite.ts';

/** A row of the schema: a table, an index, a trigger or a view. */
type SchemaRow = readonly [type: unknown, name: unknown, table: unknown, sql: unknown];

/**
 * Lists the objects that differ from the migrations: unknown ones such as `trigger audit_copy`, changed ones and
 * missing ones. Indexes of one resource type may be missing, because the open creates them.
 */
export function strangeObjects(database: SqliteDatabase, migrations: Migrations): readonly string[] {
  return closing(connect(':memory:'), (expectedDatabase) => {
    for (const migration of migrations) take(expectedDatabase, migration);
    const expectedRows = new Map(rowsOf(expectedDatabase).map((row) => [textOf(row), row]));
    const actualRows = rowsOf(database);
    const present = new Set(actualRows.map(textOf));
    const strange = actualRows.filter((row) => !expectedRows.has(textOf(row)) && !isTypeIndex(row));
    const missing = [...expectedRows].filter(([text, row]) => !present.has(text) && !isNamedAsTypeIndex(row));
    const names = [...strange, ...missing.map(([, row]) => row)].map(titleOf);
    return [...new Set(names)];
  });
}

/**
 * Lists the rows of the schema, except the ones that SQLite creates: constraint indexes, which have no statement, and
 * statistics. Not decided by name only, because a manipulated file may use any name.
 */
function rowsOf(database: SqliteDatabase): readonly SchemaRow[] {
  const rows = prepareRaw<SchemaRow>(database, 'SELECT type, name, tbl_name, sql FROM sqlite_schema').all();
  return rows.filter(([type, name, , sql]) => {
    if (type === 'index' && sql === null) return false;
    return !(type === 'table' && statistics.test(`${String(name)}: ${String(sql)}`));
  });
}

/** Statement of the statistics tables of `ANALYZE`. */
const statistics = /^(sqlite_stat[14]): CREATE TABLE \1\([a-z,]+\)$/;

/** Returns a key that is equal for the same object with the same definition. */
function textOf([type, name, table, sql]: SchemaRow): string {
  return JSON.stringify([type, name, table, plain(sql)]);
}

function plain(sql: unknown): unknown {
  return typeof sql === 'string' ? sql.replaceAll(/\s+/g, ' ') : sql;
}

function isTypeIndex(row: SchemaRow): boolean {
  const [, name, table, sql] = row;
  if (!isNamedAsTypeIndex(row) || typeof name !== 'string') return false;
  return plain(sql) === typeIndexStatement(name) && name.startsWith(`${String(table)}_by_`);
}

function isNamedAsTypeIndex([type, name]: SchemaRow): boolean {
  return type === 'index' && typeof name === 'string' && typeIndexStatement(name) !== undefined;
}

/** Formats an object for a message, such as `trigger audit_copy`. Names from a file may contain anything. */
function titleOf([type, name]: SchemaRow): string {
  const word = (value: unknown) =>
    String(value)
      .replaceAll(/[^\w.-]/g, '?')
      .slice(0, 60);
  return `${word(type)} ${word(name)}`;
}
