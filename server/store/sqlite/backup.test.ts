import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backUp, backUpBeside } from './backup.ts';
import { backupPath, backupsOf, listBackups } from './backup-folder.ts';
import { closeDatabase, openDatabase } from './open-database.ts';
import { connect, type SqliteDatabase } from './sqlite.ts';

const ways: readonly (readonly [
  string,
  (database: SqliteDatabase, path: string) => number | Promise<number>,
])[] = [
  ['at once', backUp],
  ['beside other work', backUpBeside],
];

let folder: string;
let path: string;
let database: SqliteDatabase;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-backup-'));
  path = join(folder, 'records.db');
  const made = openDatabase(path, ['CREATE TABLE one (text TEXT) STRICT; CREATE INDEX i ON one (text);']);
  const add = made.prepare('INSERT INTO one VALUES (?)');
  made.transaction(() => {
    for (let row = 0; row < 2000; row += 1) add.run(`row ${row} ${'x'.repeat(200)}`);
  })();
  closeDatabase(made);
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

describe.each(ways)('a backup %s', (_name, make) => {
  test('is one private file that holds everything', async () => {
    database = connect(path);
    const backup = backupPath(path, 'asked');
    expect(await make(database, backup)).toBe(statSync(backup).size);
    expect(listBackups(path)).toMatchObject([{ path: backup, kind: 'asked' }]);
    expect(readdirSync(backupsOf(path))).toHaveLength(1);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    const copy = connect(backup, { readonly: true });
    expect(copy.prepare('SELECT count(*) FROM one').pluck().get()).toBe(2000);
    copy.close();
  });

  test('of a damaged database is none: no file bears its name', async () => {
    // A row that its table does not allow, which no copying notices.
    const damaging = connect(path).unsafeMode();
    damaging.exec(`INSERT INTO one VALUES (NULL); PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'text TEXT', 'text TEXT NOT NULL') WHERE name = 'one'`);
    damaging.close();
    database = connect(path);
    await expect((async () => make(database, backupPath(path, 'asked')))()).rejects.toThrow(
      'No backup could be written',
    );
    expect(readdirSync(backupsOf(path))).toEqual([]);
  });

  test('never takes the place of another', async () => {
    database = connect(path);
    const backup = backupPath(path, 'asked');
    await make(database, backup);
    const { ino } = statSync(backup);
    await expect((async () => make(database, backup))()).rejects.toThrow();
    expect(statSync(backup).ino).toBe(ino);
  });
});
