import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backupPath } from './backup-folder.ts';
import { closeDatabase, openDatabase, assertOwnerOnly } from './open-database.ts';

const migrations = ['CREATE TABLE one (n INTEGER) STRICT;'];

let outer: string;
let folder: string;
let path: string;
beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'chartkeeper-modes-'));
  folder = join(outer, 'data');
  path = join(folder, 'records.db');
  closeDatabase(openDatabase(path, migrations));
});
afterEach(() => rmSync(outer, { recursive: true }));

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

describe.skipIf(process.platform === 'win32')('files of a data folder (not run on Windows)', () => {
  test('restricts existing files and backups when it opens them', () => {
    const backup = backupPath(path, 'asked');
    mkdirSync(join(folder, 'backups'), { mode: 0o755 });
    writeFileSync(backup, '');
    for (const file of [path, backup]) chmodSync(file, 0o644);
    chmodSync(folder, 0o755);
    expect(() => closeDatabase(openDatabase(path, migrations))).not.toThrow();
    expect([path, backup].map(modeOf)).toEqual(['600', '600']);
    expect([folder, join(folder, 'backups')].map(modeOf)).toEqual(['700', '700']);
  });

  test('keeps the mode of a folder with other files', () => {
    writeFileSync(join(folder, 'notes.txt'), '');
    chmodSync(folder, 0o755);
    closeDatabase(openDatabase(path, migrations));
    expect([folder, path].map(modeOf)).toEqual(['755', '600']);
  });

  test('rejects a file that stays accessible to others', () => {
    chmodSync(path, 0o640);
    expect(() => assertOwnerOnly(path)).toThrow(/its mode is 640, 600 is needed/);
  });
});
