import { afterEach, beforeEach, expect, test } from 'vitest';
import { applyMigrations } from './migrate.ts';
import { recordMigrations } from '../store/sqlite/migrations.ts';
import { strangeObjects } from './schema.ts';
import { connect, type SqliteDatabase } from './sqlite.ts';
import { makeTypeIndexes } from './type-indexes.ts';

let database: SqliteDatabase;
beforeEach(() => {
  database = connect(':memory:');
  applyMigrations(database, recordMigrations);
  makeTypeIndexes(database);
});
afterEach(() => database.close());

test('accepts a new file, a file of each version, and the tables of ANALYZE', () => {
  expect(strangeObjects(database, recordMigrations)).toEqual([]);
  database.exec('ANALYZE');
  expect(strangeObjects(database, recordMigrations)).toEqual([]);
  for (let version = 1; version < recordMigrations.length; version += 1) {
    const older = connect(':memory:');
    applyMigrations(older, recordMigrations.slice(0, version));
    expect(strangeObjects(older, recordMigrations.slice(0, version))).toEqual([]);
    older.close();
  }
});

test('accepts missing indexes of one type and indexes of an unknown type', () => {
  database.exec('DROP INDEX record_by_status_CarePlan');
  database.exec("CREATE INDEX record_by_id_Goal ON record (id, current) WHERE type = 'Goal'");
  expect(strangeObjects(database, recordMigrations)).toEqual([]);
});

const trigger = (name: string) =>
  `CREATE TRIGGER ${name} AFTER INSERT ON version BEGIN UPDATE record SET title = 'x'; END`;

test.each([
  ['a trigger under a name like a type index', trigger('record_by_zz_X'), 'trigger record_by_zz_X'],
  ['a trigger under the name of a type index', trigger('record_by_id_Goal'), 'trigger record_by_id_Goal'],
  ['a view', 'CREATE VIEW record_by_zz_X AS SELECT 1', 'view record_by_zz_X'],
  ['a table', 'CREATE TABLE version_by_zz_X (n)', 'table version_by_zz_X'],
  [
    'an index of one type on another column',
    'CREATE INDEX record_by_id_Goal ON record (title)',
    'index record_by_id_Goal',
  ],
  [
    'an index under a name like a type index',
    'CREATE INDEX record_by_zz_X ON record (id)',
    'index record_by_zz_X',
  ],
  ['an object that is missing', 'DROP TRIGGER audit_stays', 'trigger audit_stays'],
  [
    'an object made otherwise',
    'DROP INDEX issue_by_rule; CREATE INDEX issue_by_rule ON issue (rule)',
    'index issue_by_rule',
  ],
])('names %s', (_description, sql, expectedName) => {
  database.exec(sql);
  expect(strangeObjects(database, recordMigrations)).toEqual([expectedName]);
});

test('names a trigger with an internal or empty name', () => {
  database.exec(trigger('one'));
  database.exec(trigger('two'));
  database.unsafeMode(true);
  database.pragma('writable_schema = ON');
  database.exec("UPDATE sqlite_schema SET name = 'sqlite_autoindex_x' WHERE name = 'one'");
  database.exec("UPDATE sqlite_schema SET name = NULL WHERE name = 'two'");
  expect(strangeObjects(database, recordMigrations)).toEqual(['trigger sqlite_autoindex_x', 'trigger null']);
});
