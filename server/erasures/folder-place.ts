import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Erasure, ErasureDone } from '../../core/app/erasures.ts';
import type { NamedResource } from '../../core/fhir/companion.ts';
import { isResourceType, perType } from '../../core/fhir/resource.ts';
import {
  listBackups,
  plainFiles,
  skippedBackups,
  unfinishedBackups,
  type NamedBackup,
  type SeenBackups,
} from '../store/sqlite/backup-folder.ts';
import { companionsHold } from '../store/sqlite/sqlite-companions.ts';
import { isOfType } from '../store/sql.ts';
import { readIn, type SqliteDatabase } from '../store/sqlite/sqlite.ts';
import type { RecordStore } from '../store/store.ts';
import { holdsRecord, type ErasureStore } from '../workspace/erasures.ts';
import type { ErasurePlace } from './erasures.ts';

interface FolderParts {
  readonly dataDir: string;
  readonly store: Pick<RecordStore, 'erase' | 'emptyLog'>;
  /** The workspace's, so that a restore of the records finds it. */
  readonly list: Pick<ErasureStore, 'add' | 'remove'>;
  readonly second: () => SeenBackups;
}

/** Erases in a data folder, whose backups are looked at. */
export function folderPlace({ dataDir, store, list, second }: FolderParts): ErasurePlace {
  return {
    async remove(erasing) {
      const noted: NamedResource[] = [];
      try {
        // What is about a companion goes with it, and does not come back either.
        const erased = await store.erase([erasing], (all) => {
          for (const { type, id } of [erasing, ...all]) {
            list.add({ ...erasing, type, id });
            noted.push({ type, id });
          }
        });
        return erased.length > 0;
      } catch (error) {
        for (const one of noted) list.remove(one);
        throw error;
      }
    },
    async settle(erased) {
      await store.erase(erased);
    },
    emptyLog: () => store.emptyLog(),
    withBackups(erasures) {
      const { backups: there, unseen } = second();
      const copies = copiesOf(dataDir, erasures, there);
      return erasures.map((erasure, index) => ({ ...erasure, backups: copies[index] ?? [], unseen }));
    },
  };
}

interface Copy {
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** True if nothing opens it: it is no file, or is being written. */
  readonly isSkipped: boolean;
}

/** Answers which of some records an open copy holds. */
type Holds = (database: SqliteDatabase) => (record: NamedResource) => boolean;

const recordsHold: Holds = (database) => {
  const find = perType((type) =>
    database.prepare(`SELECT 1 FROM record r WHERE ${isOfType('r', type)} AND r.id = ?`),
  );
  const held = companionsHold(database);
  return (named) => (isResourceType(named.type) ? find[named.type].get(named.id) !== undefined : held(named));
};

const databases: Readonly<Record<string, Holds>> = { 'records.db': recordsHold, 'workspace.db': holdsRecord };

/**
 * For each record that was erased, the copies of the databases in a data folder that hold something of it, newest first,
 * and those in the `second` place. One that cannot be read counts as one that does. Those in the second place are not
 * opened, as a disk across a network may never answer: one that the data folder has too holds the same, and any other from
 * before the erasure may hold the record.
 */
function copiesOf(
  dataDir: string,
  records: readonly (NamedResource & Pick<Erasure, 'time'>)[],
  second: readonly NamedBackup[],
): ErasureDone['backups'][] {
  const found = records.map((): ErasureDone['backups'][number][] => []);
  if (records.length === 0) return found;
  const own = new Set<string>();
  const copies = Object.entries(databases).flatMap(([file, holds]) =>
    copiesIn(dataDir, file).map((copy) => ({ ...copy, holds })),
  );
  for (const { path, time, isSkipped, holds } of copies.toSorted((one, other) => other.time - one.time)) {
    const held = isSkipped ? undefined : readIn(path, (database) => records.map(holds(database)));
    const backup = { name: basename(path), time: new Date(time).toISOString(), place: 'first' as const };
    own.add(backup.name);
    for (const [index, backups] of found.entries()) if (held?.[index] !== false) backups.push(backup);
  }
  for (const { name, time } of second) {
    if (own.has(name)) continue;
    const backup = { name, time: new Date(time).toISOString(), place: 'second' as const };
    for (const [index, erasure] of records.entries()) {
      if (backup.time <= erasure.time) found[index]?.push(backup);
    }
  }
  return found.map((backups) => backups.toSorted((one, other) => other.time.localeCompare(one.time)));
}

/** The backups of a database, those that nothing opens or that are being written too, and what a restore has put aside in the data folder itself. */
function copiesIn(dataDir: string, file: string): readonly Copy[] {
  const of = join(dataDir, file);
  const backups = [
    ...listBackups(of).map((one) => ({ ...one, isSkipped: false })),
    ...[...skippedBackups(of), ...unfinishedBackups(of)].map((one) => ({ ...one, isSkipped: true })),
  ];
  const aside = plainFiles(readdirSync(dataDir, { withFileTypes: true }))
    .filter((name) => name.startsWith(`${file}.replaced-`) && !/-(wal|shm)$/.test(name))
    .map((name) => join(dataDir, name))
    .filter((path) => backups.every((backup) => backup.path !== path));
  return [...backups, ...aside.map((path) => ({ path, time: statSync(path).mtimeMs, isSkipped: false }))];
}
