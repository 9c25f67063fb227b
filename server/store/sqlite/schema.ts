import { take, type Migrations } from './migrate.ts';
import { typeIndexNames } from './type-indexes.ts';
import { closing, preparePluck, connect, type SqliteDatabase } from './sqlite.ts';

/** Whether a database has the schema that these migrations make. */
export function isSchemaOf(database: SqliteDatabase, migrations: Migrations): boolean {
  return closing(connect(':memory:'), (made) => {
    for (const migration of migrations) take(made, migration);
    return schemaOf(database) === schemaOf(made);
  });
}

/**
 * What a database's tables, indexes and triggers were made with. SQLite's own tables are none of them, nor are the indexes
 * of one resource type, which are made where they are missing.
 */
function schemaOf(database: SqliteDatabase): string {
  const statements = preparePluck<string>(
    database,
    `SELECT type || ' ' || name || ': ' || sql FROM sqlite_schema
       WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
         AND NOT (name GLOB '${typeIndexNames[0]}' OR name GLOB '${typeIndexNames[1]}')
       ORDER BY type, name`,
  ).all();
  return statements.join('\n').replaceAll(/\s+/g, ' ');
}
