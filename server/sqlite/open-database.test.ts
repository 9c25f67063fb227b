import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DataFolderError, folderExitCodes, type FolderErrorCode } from './data-folder-error.ts';
import { closeDatabase, openDatabase, type Migrations } from './open-database.ts';
import { connect } from './sqlite.ts';
import { syncFolder } from './sync.ts';

vi.mock(import('./sync.ts'), { spy: true });

const migrations: Migrations = [
  'CREATE TABLE item (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT; CREATE INDEX item_by_text ON item (text);',
];
const rowCount = 2000;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-open-'));
  path = join(folder, 'records.db');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Creates a database with rows and closes it. */
function fill(): void {
  const database = openDatabase(path, migrations);
  const add = database.prepare('INSERT INTO item (text) VALUES (?)');
  database.transaction(() => {
    for (let row = 0; row < rowCount; row += 1) add.run(`row ${row} ${'x'.repeat(80)}`);
  })();
  closeDatabase(database);
}

/**
 * Watches the syncs of the folder. Returns a function that returns whether the marker file of an open database existed at
 * the last sync.
 */
function watchMarker(): () => boolean | undefined {
  let existedAtSync: boolean | undefined;
  vi.mocked(syncFolder).mockImplementation((synced) => {
    if (synced === folder) existedAtSync = existsSync(`${path}-open`);
  });
  return () => existedAtSync;
}

function openAndGetError(): DataFolderError {
  try {
    openDatabase(path, migrations).close();
  } catch (error) {
    if (error instanceof DataFolderError) return error;
    throw error;
  }
  expect.unreachable('The file was opened.');
}

/** Returns the error of opening, and asserts that the file did not change. */
function getErrorAndExpectUnchanged(): DataFolderError {
  const before = readFileSync(path);
  const error = openAndGetError();
  expect(readFileSync(path).equals(before)).toBe(true);
  return error;
}

test('syncs the marker file before a migration writes, and removes it on close', () => {
  fill();
  const existedAtSync = watchMarker();
  const failing = [...migrations, 'CREATE TABLE item (again TEXT)'];
  expect(() => openDatabase(path, failing)).toThrow(DataFolderError);
  expect(existedAtSync()).toBe(true);
  closeDatabase(openDatabase(path, migrations));
  expect([existedAtSync(), existsSync(`${path}-open`)]).toEqual([false, false]);
});

test('creates a file with mode 0600 in a folder with mode 0700, WAL and synchronous FULL', () => {
  path = join(folder, 'deep', 'records.db');
  expect(() => closeDatabase(openDatabase(path, migrations))).not.toThrow();
  const database = openDatabase(path, migrations);
  const pragma = (name: string) => database.pragma(name, { simple: true });
  expect(
    ['journal_mode', 'synchronous', 'locking_mode', 'secure_delete', 'trusted_schema'].map(pragma),
  ).toEqual(['wal', 2, 'exclusive', 1, 0]);
  expect([statSync(path).mode & 0o777, statSync(join(folder, 'deep')).mode & 0o777]).toEqual([0o600, 0o700]);
  closeDatabase(database);
});

test('replays the WAL after an unclean shutdown', () => {
  fill();
  const database = openDatabase(path, migrations);
  database.prepare('INSERT INTO item (text) VALUES (?)').run('last');
  const copy = join(folder, 'copy.db');
  for (const suffix of ['', '-wal']) writeFileSync(copy + suffix, readFileSync(path + suffix));
  closeDatabase(database);
  const reopened = openDatabase(copy, migrations);
  expect(reopened.prepare('SELECT count(*) FROM item').pluck().get()).toBe(rowCount + 1);
  closeDatabase(reopened);
});

test('replaces the unfinished file of a process that crashed', () => {
  writeFileSync(`${path}.new`, 'half');
  fill();
  expect(existsSync(`${path}.new`)).toBe(false);
});

const defects: [FolderErrorCode, string, () => void][] = [
  ['empty', 'is empty', () => truncateSync(path)],
  ['foreign', 'is not a Chartkeeper database', () => writeFileSync(path, 'id,name\n1,a\n')],
  ['truncated', 'its end is missing', () => truncateSync(path, statSync(path).size - 4096)],
  ['truncated', 'its end is missing', () => truncateSync(path, 50)],
  ['damaged', 'is damaged', () => overwrite(8192, Buffer.alloc(4096, 0x5a))],
  ['newer', 'newer Chartkeeper', () => setVersion(2)],
  ['other-schema', 'unknown table layout', () => runSql('CREATE TABLE other (id INTEGER)')],
  ['other-schema', 'unknown table layout', () => runSql('DROP INDEX item_by_text')],
  ['other-schema', 'unknown table layout', () => setVersion(0)],
];

function overwrite(offset: number, bytes: Buffer): void {
  const bytesBefore = readFileSync(path);
  bytes.copy(bytesBefore, offset);
  writeFileSync(path, bytesBefore);
}

function setVersion(version: number): void {
  runSql(`PRAGMA user_version = ${version}`);
}

/** Changes the file as another program would. */
function runSql(sql: string): void {
  const database = connect(path);
  database.exec(sql);
  database.close();
}

/** Runs work as a user without root rights, because root ignores file modes. */
function asNobody<Result>(work: () => Result): Result {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65534);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}

describe('a file that cannot be opened', () => {
  test.each(defects)(
    'rejects a file that is %s with the message "%s" and its exit code, and leaves it unchanged',
    (errorCode, message, damage) => {
      fill();
      damage();
      const error = getErrorAndExpectUnchanged();
      expect([error.errorCode, error.exitCode]).toEqual([errorCode, folderExitCodes[errorCode]]);
      expect(error.message).toContain(path);
      expect(error.message).toContain(message);
    },
  );

  test('assigns a unique exit code to each error', () => {
    const codes = Object.values(folderExitCodes);
    expect(new Set(codes).size).toBe(codes.length);
  });

  test('names the latest backup if the file is unusable', () => {
    fill();
    mkdirSync(join(folder, 'backups'));
    const backup = join(folder, 'backups', 'records-2026-11-01T10-00-00-000Z-timed.db');
    writeFileSync(backup, readFileSync(path));
    writeFileSync(join(folder, 'backups', 'workspace-2026-11-02T10-00-00-000Z-timed.db'), '');
    truncateSync(path);
    expect(openAndGetError().message).toContain(backup);
  });

  test('reports a locked file as in use', () => {
    fill();
    const otherDatabase = openDatabase(path, migrations);
    expect(openAndGetError().errorCode).toBe('in-use');
    closeDatabase(otherDatabase);
    closeDatabase(openDatabase(path, migrations));
  });

  test.skipIf(process.platform === 'win32')('reports a file without write permission as read-only', () => {
    fill();
    chmodSync(folder, 0o755);
    chmodSync(path, 0o444);
    const before = readFileSync(path);
    expect(asNobody(openAndGetError).errorCode).toBe('read-only');
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('rejects a file that has the name of the data folder, and leaves it unchanged', () => {
    const file = join(folder, 'data');
    writeFileSync(file, 'mine');
    for (const inner of ['records.db', join('deeper', 'records.db')]) {
      path = join(file, inner);
      const { errorCode, message } = openAndGetError();
      expect([errorCode, message]).toEqual(['not-a-folder', expect.stringContaining('a file has this name')]);
    }
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test.skipIf(process.platform === 'win32')('names a folder that cannot be created', () => {
    chmodSync(folder, 0o555);
    path = join(folder, 'data', 'records.db');
    const { errorCode, message } = asNobody(openAndGetError);
    expect([errorCode, message]).toEqual(['closed-folder', expect.stringContaining(join(folder, 'data'))]);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  test('rejects each of 200 truncations without a change', () => {
    fill();
    const fullFile = readFileSync(path);
    for (let cutIndex = 1; cutIndex <= 200; cutIndex += 1) {
      writeFileSync(path, fullFile.subarray(0, Math.floor((fullFile.length * cutIndex) / 201)));
      expect(['truncated', 'empty']).toContain(getErrorAndExpectUnchanged().errorCode);
    }
    appendFileSync(path, fullFile.subarray(statSync(path).size));
    closeDatabase(openDatabase(path, migrations));
  });
});
