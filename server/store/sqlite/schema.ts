/** Compares the schema of a file with the one that migrations make, object by object. Called by the looks at a file. */
import { take, type Migrations } from './migrate.ts';
import { typeIndexStatement } from './type-indexes.ts';
import { closing, connect, prepareRaw, type SqliteDatabase } from './sqlite.ts';

/** A row of the schema: a table, an index, a trigger or a view. */
type SchemaRow = readonly [type: unknown, name: unknown, table: unknown, sql: unknown];

/** Whether a database has the schema that these migrations make. */
export function isSchemaOf(database: SqliteDatabase, migrations: Migrations): boolean {
  return strangeObjects(database, migrations).length === 0;
}

/**
 * Returns the objects that are not as these migrations make them: those that are not theirs (`trigger audit_copy`), those
 * that are made otherwise, and those that are missing. The indexes of one resource type may be missing: they are made
 * where they are.
 */
export function strangeObjects(database: SqliteDatabase, migrations: Migrations): readonly string[] {
  return closing(connect(':memory:'), (made) => {
    for (const migration of migrations) take(made, migration);
    const wanted = new Map(rowsOf(made).map((row) => [textOf(row), row]));
    const found = rowsOf(database);
    const present = new Set(found.map(textOf));
    const strange = found.filter((row) => !wanted.has(textOf(row)) && !isTypeIndex(row));
    const missing = [...wanted].filter(([text, row]) => !present.has(text) && !isNamedAsTypeIndex(row));
    const names = [...strange, ...missing.map(([, row]) => row)].map(titleOf);
    return [...new Set(names)];
  });
}

/**
 * All rows but those that SQLite makes by itself: the indexes of a constraint, which have no statement, and what it counted
 * of the values. Told by more than their names, as a file written by hand may bear any.
 */
function rowsOf(database: SqliteDatabase): readonly SchemaRow[] {
  const rows = prepareRaw<SchemaRow>(database, 'SELECT type, name, tbl_name, sql FROM sqlite_schema').all();
  return rows.filter(([type, name, , sql]) => {
    if (type === 'index' && sql === null) return false;
    return !(type === 'table' && statistics.test(`${String(name)}: ${String(sql)}`));
  });
}

/** The tables of `ANALYZE`, as SQLite makes them. */
const statistics = /^(sqlite_stat[14]): CREATE TABLE \1\([a-z,]+\)$/;

/** What two rows have in common where they are the same object, made the same way. */
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

/** `trigger audit_copy`; a name that a file gives may hold anything. */
function titleOf([type, name]: SchemaRow): string {
  const word = (value: unknown) =>
    String(value)
      .replaceAll(/[^\w.-]/g, '?')
      .slice(0, 60);
  return `${word(type)} ${word(name)}`;
}
