import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assertSettings, configure } from './connection-settings.ts';
import { connect, type SqliteDatabase } from './sqlite.ts';

let folder: string;
let database: SqliteDatabase;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-settings-'));
  database = connect(join(folder, 'records.db'));
  configure(database, 'exclusive');
  database.exec('CREATE TABLE one (n INTEGER) STRICT');
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

test('accepts the settings it wrote', () => {
  expect(() => assertSettings(database, 'exclusive')).not.toThrow();
});

test.each([
  ['synchronous = NORMAL', 'synchronous is 1, 2 is needed'],
  ['synchronous = OFF', 'synchronous is 0, 2 is needed'],
  ['journal_mode = DELETE', 'journal_mode is delete, wal is needed'],
  ['locking_mode = NORMAL', 'locking_mode is normal, exclusive is needed'],
  ['secure_delete = OFF', 'secure_delete is 0, 1 is needed'],
  ['trusted_schema = ON', 'trusted_schema is 1, 0 is needed'],
])('rejects a database with %s', (setting, words) => {
  database.pragma(setting);
  expect(() => assertSettings(database, 'exclusive')).toThrow(words);
});
