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
import { connect } from '../../server/store/sqlite/sqlite.ts';
import type { FolderFault } from '../../server/store/sqlite/data-folder-error.ts';
import { expectRefusal } from '../bad-start.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { makeSample } from '../sample-store.ts';

interface Kind {
  readonly name: string;
  readonly fault: FolderFault;
  /** Spoils a good file. */
  readonly spoil: (path: string) => void;
  /** Whether that came about on this machine. */
  readonly spoilt?: (path: string) => boolean;
}

/** Files that are no good store, each with the fault that tells it. */
const kinds: readonly Kind[] = [
  { name: 'zero-byte', fault: 'empty', spoil: (path) => truncateSync(path) },
  { name: 'text', fault: 'foreign', spoil: (path) => writeFileSync(path, 'id;name\n1;Meier\n'.repeat(500)) },
  { name: 'zeroes', fault: 'foreign', spoil: (path) => writeFileSync(path, Buffer.alloc(65_536)) },
  { name: 'newer than known', fault: 'newer', spoil: (path) => run(path, 'PRAGMA user_version = 99') },
  { name: 'other schema', fault: 'other-schema', spoil: otherDatabase },
  { name: 'a table too few', fault: 'other-schema', spoil: dropTable },
  { name: 'a folder', fault: 'unusable', spoil: folderInstead },
  { name: 'read-only', fault: 'read-only', spoil: closeToWrites, spoilt: (path) => !mayWrite(path) },
];

const databases = ['records.db', 'workspace.db'] as const;

export const badFiles: FaultCase = {
  name: 'bad-files',
  claim:
    'A file that is no good store is refused with a sentence and an exit code of its own, and is left as it is.',
  beside: true,
  long: true,
  run: refuseAll,
};

async function refuseAll({ folder, seed, tally }: FaultContext): Promise<Finding> {
  const good = join(folder, 'good');
  await makeSample(good, 20, seed);
  for (const database of databases) {
    for (const { name, fault, spoil, spoilt = () => true } of kinds) {
      const data = join(folder, 'bad');
      cpSync(good, data, { recursive: true });
      const file = join(data, database);
      spoil(file);
      try {
        if (spoilt(file)) await expectTold(data, file, `${database}: ${name}`, fault);
        tally.add(spoilt(file) ? 'bad files refused' : `not run, as root writes every file: ${name}`, 1);
      } finally {
        openToWrites(file);
        rmSync(data, { recursive: true });
      }
    }
  }
  return { result: 'passed', figures: tally.figures };
}

async function expectTold(data: string, file: string, what: string, fault: FolderFault): Promise<void> {
  const found = await expectRefusal(data, file, what);
  if (found !== fault) throw new FaultError(`${what} was told as ${found}`);
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

/** Root writes what is closed to others, but for a file that is immutable. */
function closeToWrites(path: string): void {
  chmodSync(path, 0o400);
  if (mayWrite(path)) spawnSync('chattr', ['+i', path]);
}

function openToWrites(path: string): void {
  if (!mayWrite(path)) spawnSync('chattr', ['-i', path]);
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
