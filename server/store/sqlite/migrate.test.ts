import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backupsOf, listBackups } from './backup-folder.ts';
import { closeDatabase, openDatabase, type Migrations } from './open-database.ts';
import { connect } from './sqlite.ts';

const first = 'CREATE TABLE one (n INTEGER) STRICT; INSERT INTO one VALUES (7);';
const second = 'CREATE TABLE two (n INTEGER) STRICT; INSERT INTO two SELECT n FROM one; DELETE FROM one;';

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

/** The version of a file, and how many rows its tables have. */
function contentOf(file: string) {
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

test('item 12: before a migration there is a backup of what was there; a new file needs none', () => {
  open([first]);
  expect(listBackups(path)).toEqual([]);
  open([first, second]);
  const backups = listBackups(path);
  expect(backups.map(({ kind }) => kind)).toEqual(['migration']);
  expect(contentOf(backups[0]?.path ?? '')).toEqual({ version: 1, rows: { one: 1 } });
  expect(contentOf(path)).toEqual({ version: 2, rows: { one: 0, two: 1 } });
  open([first, second]);
  expect(listBackups(path)).toHaveLength(1);
});

test('item 12: a step that fails leaves the schema and the version before it', () => {
  open([first]);
  expect(() => open([first, `${second} INSERT INTO nowhere VALUES (1);`])).toThrow();
  expect(contentOf(path)).toEqual({ version: 1, rows: { one: 1 } });
});

test('item 12: where no backup can be written nothing is migrated', () => {
  open([first]);
  symlinkSync(join(folder, 'nowhere', 'backups'), backupsOf(path));
  expect(() => open([first, second])).toThrow(/No backup could be written/);
  expect(contentOf(path)).toEqual({ version: 1, rows: { one: 1 } });
  expect(readdirSync(folder).filter((name) => name.endsWith('.draft'))).toEqual([]);
});
