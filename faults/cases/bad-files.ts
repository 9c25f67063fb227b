import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  mkdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../server/sqlite/sqlite.ts';
import type { FolderErrorCode } from '../../server/sqlite/data-folder-error.ts';
import { expectRefusal } from '../bad-start.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { createSampleStore } from '../sample-store.ts';

interface BadFileKind {
  readonly name: string;
  readonly fault: FolderErrorCode;
  /** Spoils a good file. */
  readonly spoil: (path: string) => void;
  /** Returns true if that succeeded on this machine. Root can write every file. */
  readonly spoilt?: (path: string) => boolean;
}

/** Files that are not a valid store, each with its error code. */
const badFileKinds: readonly BadFileKind[] = [
  { name: 'zero-byte', fault: 'empty', spoil: (path) => truncateSync(path) },
  { name: 'text', fault: 'foreign', spoil: (path) => writeFileSync(path, 'id;name\n1;Meier\n'.repeat(500)) },
  { name: 'zeroes', fault: 'foreign', spoil: (path) => writeFileSync(path, Buffer.alloc(65_536)) },
  { name: 'newer than known', fault: 'newer', spoil: (path) => run(path, 'PRAGMA user_version = 99') },
  { name: 'other schema', fault: 'other-schema', spoil: otherDatabase },
  { name: 'a table too few', fault: 'other-schema', spoil: dropTable },
  { name: 'a folder', fault: 'unusable', spoil: folderInstead },
  { name: 'read-only', fault: 'read-only', spoil: makeReadOnly, spoilt: (path) => !canWrite(path) },
];

const databases = ['records.db', 'workspace.db'] as const;

export const badFiles: FaultCase = {
  name: 'bad-files',
  claim:
    'A file that is not a valid store is refused with a specific error message and exit code, and stays unchanged.',
  parallel: true,
  long: true,
  run: runBadFiles,
};

async function runBadFiles({ folder, seed, tally }: FaultContext): Promise<FaultResult> {
  const goodFolder = join(folder, 'good');
  await createSampleStore(goodFolder, 20, seed);
  for (const database of databases) {
    for (const { name, fault, spoil, spoilt = () => true } of badFileKinds) {
      const data = join(folder, 'bad');
      cpSync(goodFolder, data, { recursive: true });
      const file = join(data, database);
      spoil(file);
      try {
        if (spoilt(file)) await expectErrorCode(data, file, `${database}: ${name}`, fault);
        tally.add(spoilt(file) ? 'bad files refused' : `not run, as root writes every file: ${name}`, 1);
      } finally {
        makeWritable(file);
        rmSync(data, { recursive: true });
      }
    }
  }
  return { result: 'passed', figures: tally.figures };
}

async function expectErrorCode(
  data: string,
  file: string,
  description: string,
  fault: FolderErrorCode,
): Promise<void> {
  const code = await expectRefusal(data, file, description);
  if (code !== fault) throw new FaultError(`${description} was told as ${code}`);
}

function run(path: string, sql: string): void {
  const database = connect(path);
  database.exec(sql);
  database.close();
}

function folderInstead(path: string): void {
  rmSync(path);
  mkdirSync(path);
}

function otherDatabase(path: string): void {
  rmSync(path);
  run(path, 'CREATE TABLE patient (name TEXT); PRAGMA user_version = 1');
}

function dropTable(path: string): void {
  const database = connect(path);
  const [table] = database
    .prepare<unknown[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all();
  database.pragma('foreign_keys = OFF');
  database.exec(`DROP TABLE "${table ?? ''}"`);
  database.close();
}

/** Root can write read-only files, except immutable ones. */
function makeReadOnly(path: string): void {
  chmodSync(path, 0o400);
  if (canWrite(path)) spawnSync('chattr', ['+i', path]);
}

function makeWritable(path: string): void {
  if (!canWrite(path)) spawnSync('chattr', ['-i', path]);
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
