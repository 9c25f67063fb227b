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
import { DataFolderError, folderFaults, type FolderFault } from './data-folder-error.ts';
import { closeDatabase, openDatabase, type Migrations } from './open-database.ts';
import { connect } from './sqlite.ts';
import { syncFolder } from './sync.ts';

vi.mock(import('./sync.ts'), { spy: true });

const migrations: Migrations = [
  'CREATE TABLE one (n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT; CREATE INDEX one_by_text ON one (text);',
];
const rows = 2000;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-open-'));
  path = join(folder, 'records.db');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A database with rows, closed in order. */
function fill(): void {
  const database = openDatabase(path, migrations);
  const add = database.prepare('INSERT INTO one (text) VALUES (?)');
  database.transaction(() => {
    for (let row = 0; row < rows; row += 1) add.run(`row ${row} ${'x'.repeat(80)}`);
  })();
  closeDatabase(database);
}

/** Whether the mark stood there when the folder was last synced. */
function marksSynced(): () => boolean | undefined {
  let marked: boolean | undefined;
  vi.mocked(syncFolder).mockImplementation((synced) => {
    if (synced === folder) marked = existsSync(`${path}-open`);
  });
  return () => marked;
}

function refusal(): DataFolderError {
  try {
    openDatabase(path, migrations).close();
  } catch (error) {
    if (error instanceof DataFolderError) return error;
    throw error;
  }
  expect.unreachable('The file was opened.');
}

/** The refusal, after which the file must stand as it did. */
function refusalLeaving(): DataFolderError {
  const before = readFileSync(path);
  const refused = refusal();
  expect(readFileSync(path).equals(before)).toBe(true);
  return refused;
}

test('item 10: the mark of an open database is on the disk before a migration writes, and off it behind the close', () => {
  fill();
  const seen = marksSynced();
  const failing = [...migrations, 'CREATE TABLE one (again TEXT)'];
  expect(() => openDatabase(path, failing)).toThrow(DataFolderError);
  expect(seen()).toBe(true);
  closeDatabase(openDatabase(path, migrations));
  expect([seen(), existsSync(`${path}-open`)]).toEqual([false, false]);
});

test('item 7: a new file is 0600 in a folder 0700, WAL with synchronous FULL', () => {
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

const breaking: [FolderFault, string, () => void][] = [
  ['empty', 'is empty', () => truncateSync(path)],
  ['foreign', 'is not a database', () => writeFileSync(path, 'id,name\n1,a\n')],
  ['truncated', 'its end is missing', () => truncateSync(path, statSync(path).size - 4096)],
  ['truncated', 'its end is missing', () => truncateSync(path, 50)],
  ['damaged', 'is damaged', () => overwrite(8192, Buffer.alloc(4096, 0x5a))],
  ['newer', 'newer Chartkeeper', () => setVersion(2)],
  ['other-schema', 'other tables than its version says', () => run('CREATE TABLE two (n INTEGER)')],
  ['other-schema', 'other tables than its version says', () => run('DROP INDEX one_by_text')],
  ['other-schema', 'other tables than its version says', () => setVersion(0)],
];

function overwrite(at: number, bytes: Buffer): void {
  const whole = readFileSync(path);
  bytes.copy(whole, at);
  writeFileSync(path, whole);
}

function setVersion(version: number): void {
  run(`PRAGMA user_version = ${version}`);
}

/** As another program would, which knows nothing of ours. */
function run(sql: string): void {
  const database = connect(path);
  database.exec(sql);
  database.close();
}

/** Does work as a user whom modes concern: root passes them all. */
function asNobody<Result>(work: () => Result): Result {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65534);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}

describe('item 10', () => {
  test.each(breaking)(
    'a file that is %s: a sentence with "%s", an exit code, nothing changed',
    (fault, words, damage) => {
      fill();
      damage();
      const refused = refusalLeaving();
      expect([refused.fault, refused.exitCode]).toEqual([fault, folderFaults[fault]]);
      expect(refused.message).toContain(path);
      expect(refused.message).toContain(words);
    },
  );

  test('each fault has an exit code of its own', () => {
    const codes = Object.values(folderFaults);
    expect(new Set(codes).size).toBe(codes.length);
  });

  test('a file that is beyond repair: the newest backup is named', () => {
    fill();
    mkdirSync(join(folder, 'backups'));
    const backup = join(folder, 'backups', 'records-2026-11-01T10-00-00-000Z-timed.db');
    writeFileSync(backup, readFileSync(path));
    writeFileSync(join(folder, 'backups', 'workspace-2026-11-02T10-00-00-000Z-timed.db'), '');
    truncateSync(path);
    expect(refusal().message).toContain(backup);
  });

  test('a file that another one holds is in use', () => {
    fill();
    const holder = openDatabase(path, migrations);
    expect(refusal().fault).toBe('in-use');
    closeDatabase(holder);
    closeDatabase(openDatabase(path, migrations));
  });

  test.skipIf(process.platform === 'win32')('a file that may not be written is read-only', () => {
    fill();
    chmodSync(folder, 0o755);
    chmodSync(path, 0o444);
    const before = readFileSync(path);
    expect(asNobody(refusal).fault).toBe('read-only');
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('a file in the place of the folder is left as it is', () => {
    const file = join(folder, 'data');
    writeFileSync(file, 'mine');
    for (const inner of ['records.db', join('deeper', 'records.db')]) {
      path = join(file, inner);
      const { fault, message } = refusal();
      expect([fault, message]).toEqual([
        'not-a-folder',
        expect.stringContaining('a file stands in its place'),
      ]);
    }
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test.skipIf(process.platform === 'win32')('a folder that may not be made is told with its name', () => {
    chmodSync(folder, 0o555);
    path = join(folder, 'data', 'records.db');
    const { fault, message } = asNobody(refusal);
    expect([fault, message]).toEqual(['closed-folder', expect.stringContaining(join(folder, 'data'))]);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  test('a log that was not carried over is: a run that did not end in order loses nothing', () => {
    fill();
    const database = openDatabase(path, migrations);
    database.prepare('INSERT INTO one (text) VALUES (?)').run('last');
    const copy = join(folder, 'copy.db');
    for (const end of ['', '-wal']) writeFileSync(copy + end, readFileSync(path + end));
    closeDatabase(database);
    const reopened = openDatabase(copy, migrations);
    expect(reopened.prepare('SELECT count(*) FROM one').pluck().get()).toBe(rows + 1);
    closeDatabase(reopened);
  });

  test('a file that was being made when the process ended is made anew', () => {
    writeFileSync(`${path}.new`, 'half');
    fill();
    expect(existsSync(`${path}.new`)).toBe(false);
  });

  test('200 truncations: each is refused, none changes the file', () => {
    fill();
    const whole = readFileSync(path);
    for (let cut = 1; cut <= 200; cut += 1) {
      writeFileSync(path, whole.subarray(0, Math.floor((whole.length * cut) / 201)));
      expect(['truncated', 'empty']).toContain(refusalLeaving().fault);
    }
    appendFileSync(path, whole.subarray(statSync(path).size));
    closeDatabase(openDatabase(path, migrations));
  });
});
