import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ErasureDone, RecordName } from '../../core/app/erasures.ts';
import { perType } from '../../core/fhir/resource.ts';
import { listBackups } from '../store/backup-folder.ts';
import { isOfType } from '../store/sql.ts';
import { readIn, type SqliteDatabase } from '../store/sqlite.ts';
import { holdsRecord } from '../workspace/erasures.ts';

interface Copy {
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** Answers which of some records an open copy holds. */
type Holds = (database: SqliteDatabase) => (record: RecordName) => boolean;

const recordsHold: Holds = (database) => {
  const find = perType((type) =>
    database.prepare(`SELECT 1 FROM record r WHERE ${isOfType('r', type)} AND r.id = ?`),
  );
  return ({ type, id }) => find[type].get(id) !== undefined;
};

const databases: Readonly<Record<string, Holds>> = { 'records.db': recordsHold, 'workspace.db': holdsRecord };

/**
 * For each record the copies of the databases in a data folder that hold something of it, newest first. One that cannot
 * be read counts as one that does.
 */
export function copiesOf(dataDir: string, records: readonly RecordName[]): ErasureDone['backups'][] {
  const found = records.map((): ErasureDone['backups'][number][] => []);
  if (records.length === 0) return found;
  const copies = Object.entries(databases).flatMap(([file, holds]) =>
    copiesIn(dataDir, file).map((copy) => ({ ...copy, holds })),
  );
  for (const { path, time, holds } of copies.toSorted((one, other) => other.time - one.time)) {
    const held = readIn(path, (database) => records.map(holds(database)));
    const backup = { name: basename(path), time: new Date(time).toISOString() };
    for (const [index, backups] of found.entries()) if (held?.[index] !== false) backups.push(backup);
  }
  return found;
}

/** The backups of a database, and what a restore has put aside in the data folder itself. */
function copiesIn(dataDir: string, file: string): readonly Copy[] {
  const backups = listBackups(join(dataDir, file));
  const aside = readdirSync(dataDir)
    .filter((name) => name.startsWith(`${file}.replaced-`) && !/-(wal|shm)$/.test(name))
    .map((name) => join(dataDir, name))
    .filter((path) => backups.every((backup) => backup.path !== path));
  return [...backups, ...aside.map((path) => ({ path, time: statSync(path).mtimeMs }))];
}
