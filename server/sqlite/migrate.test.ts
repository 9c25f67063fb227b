import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backupsOf, listBackups } from './backup-folder.ts';
import { closeDatabase, openDatabase, type Migrations } from './open-database.ts';
import { connect } from './sqlite.ts';

const firstMigration = 'CREATE TABLE one (n INTEGER) STRICT; INSERT INTO one VALUES (7);';
const secondMigration =
  'CREATE TABLE two (n INTEGER) STRICT; INSERT INTO two SELECT n FROM one; DELETE FROM one;';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-migrate-'));
  path = join(folder, 'records.db');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const open = (migrations: Migrations) => closeDatabase(openDatabase(path, migrations));

/** Reads the version of a file and the number of rows per table. */
function readContent(file: string) {
  const database = connect(file, { readonly: true });
  const names = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all();
  const rows = names.map((name) => [
    name,
    database
      .prepare(`SELECT count(*) FROM ${String(name)}`)
      .pluck()
      .get(),
  ]);
  const version = database.pragma('user_version', { simple: true });
  database.close();
  return { version, rows: Object.fromEntries(rows) as Record<string, number> };
}

test('writes a backup before a migration, except of a new file', () => {
  open([firstMigration]);
  expect(listBackups(path)).toEqual([]);
  open([firstMigration, secondMigration]);
  const backups = listBackups(path);
  expect(backups.map(({ kind }) => kind)).toEqual(['migration']);
  expect(readContent(backups[0]?.path ?? '')).toEqual({ version: 1, rows: { one: 1 } });
  expect(readContent(path)).toEqual({ version: 2, rows: { one: 0, two: 1 } });
  open([firstMigration, secondMigration]);
  expect(listBackups(path)).toHaveLength(1);
});

test('keeps schema and version if a migration fails', () => {
  open([firstMigration]);
  expect(() => open([firstMigration, `${secondMigration} INSERT INTO nowhere VALUES (1);`])).toThrow();
  expect(readContent(path)).toEqual({ version: 1, rows: { one: 1 } });
});

test('rejects a migration without a backup', () => {
  open([firstMigration]);
  symlinkSync(join(folder, 'nowhere', 'backups'), backupsOf(path));
  expect(() => open([firstMigration, secondMigration])).toThrow(/Couldn’t write a backup/);
  expect(readContent(path)).toEqual({ version: 1, rows: { one: 1 } });
  expect(readdirSync(folder).filter((name) => name.endsWith('.draft'))).toEqual([]);
});
