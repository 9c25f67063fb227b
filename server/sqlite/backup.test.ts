import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backUp, backUpInWorker } from './backup.ts';
import { backupPath, backupsOf, listBackups } from './backup-folder.ts';
import { closeDatabase, openDatabase } from './open-database.ts';
import { connect, type SqliteDatabase } from './sqlite.ts';

const methods: readonly (readonly [
  string,
  (database: SqliteDatabase, path: string) => number | Promise<number>,
])[] = [
  ['at once', backUp],
  ['beside other work', backUpInWorker],
];

let folder: string;
let path: string;
let database: SqliteDatabase;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-backup-'));
  path = join(folder, 'records.db');
  const source = openDatabase(path, ['CREATE TABLE one (text TEXT) STRICT; CREATE INDEX i ON one (text);']);
  const add = source.prepare('INSERT INTO one VALUES (?)');
  source.transaction(() => {
    for (let row = 0; row < 2000; row += 1) add.run(`row ${row} ${'x'.repeat(200)}`);
  })();
  closeDatabase(source);
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

describe.each(methods)('a backup %s', (_name, make) => {
  test('creates one private file with all rows', async () => {
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

  test('creates no file for a damaged database', async () => {
    // Violates a NOT NULL constraint. The copy itself does not notice.
    const damaging = connect(path).unsafeMode();
    damaging.exec(`INSERT INTO one VALUES (NULL); PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'text TEXT', 'text TEXT NOT NULL') WHERE name = 'one'`);
    damaging.close();
    database = connect(path);
    await expect((async () => make(database, backupPath(path, 'asked')))()).rejects.toThrow(
      'Couldn’t write a backup',
    );
    expect(readdirSync(backupsOf(path))).toEqual([]);
  });

  test('never overwrites another backup', async () => {
    database = connect(path);
    const backup = backupPath(path, 'asked');
    await make(database, backup);
    const { ino } = statSync(backup);
    await expect((async () => make(database, backup))()).rejects.toThrow();
    expect(statSync(backup).ino).toBe(ino);
  });
});
