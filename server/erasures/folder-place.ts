import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Erasure, ErasureDone } from '../../core/app/erasures.ts';
import type { NamedResource } from '../../core/fhir/supporting-resource.ts';
import {
  listBackups,
  plainFiles,
  skippedBackups,
  unfinishedBackups,
  type NamedBackup,
  type SeenBackups,
} from '../sqlite/backup-folder.ts';
import { createCopyDetector } from '../sqlite/record-copies.ts';
import { readDatabaseFile, type SqliteDatabase } from '../sqlite/sqlite.ts';
import type { RecordStore, SourcedName } from '../store/store.ts';
import { createRecordDetector, type ErasureStore } from '../workspace/erasures.ts';
import type { ErasureTarget } from './erasures.ts';

interface FolderErasureDependencies {
  readonly dataDir: string;
  readonly store: Pick<RecordStore, 'erase' | 'truncateWal'>;
  /** The workspace's, so that a restore of the records finds it. */
  readonly list: Pick<ErasureStore, 'add' | 'remove'>;
  readonly listSecondaryBackups: () => SeenBackups;
}

/** Creates the erasure target of a data folder, including its backups. */
export function createFolderErasureTarget({
  dataDir,
  store,
  list,
  listSecondaryBackups: secondaryBackups,
}: FolderErasureDependencies): ErasureTarget {
  return {
    async remove(erasure) {
      const listedNames: SourcedName[] = [];
      try {
        // Resources about the erased one are erased and listed too, so that they never return.
        const erasedNames = await store.erase([erasure], (erasedRecords) => {
          for (const { type, id, source = '' } of erasedRecords) {
            list.add({ ...erasure, type, id, source });
            listedNames.push({ type, id, source });
          }
        });
        return erasedNames.length > 0;
      } catch (error) {
        for (const name of listedNames) list.remove(name);
        throw error;
      }
    },
    async settle(erasures) {
      // An empty source stands for all.
      await store.erase(erasures.map((erasure) => ({ ...erasure, source: erasure.source ?? '' })));
    },
    emptyLog: () => store.truncateWal(),
    withBackups(erasures) {
      const { backups: listedBackups, unseen } = secondaryBackups();
      const copies = listCopies(dataDir, erasures, listedBackups);
      return erasures.map((erasure, index) => ({ ...erasure, backups: copies[index] ?? [], unseen }));
    },
  };
}

interface DatabaseCopy {
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** True if the file can't be opened: no regular file, or a backup in progress. */
  readonly isSkipped: boolean;
}

/** Creates a predicate for the records in an open copy. */
type CreateContains = (database: SqliteDatabase) => (record: NamedResource) => boolean;

const databases: Readonly<Record<string, CreateContains>> = {
  'records.db': createCopyDetector,
  'workspace.db': createRecordDetector,
};

/**
 * Returns for each erased record the database copies that may contain it, latest first.
 *
 * An unreadable copy counts as containing it. Copies in the secondary folder are never opened, because a
 * network disk may not respond: a copy with the same name as a local one has the same contents, and any
 * other from before the erasure may contain the record.
 */
function listCopies(
  dataDir: string,
  records: readonly (NamedResource & Pick<Erasure, 'time'>)[],
  secondaryBackups: readonly NamedBackup[],
): ErasureDone['backups'][] {
  const copiesByRecord = records.map((): ErasureDone['backups'][number][] => []);
  if (records.length === 0) return copiesByRecord;
  const localNames = new Set<string>();
  const copies = Object.entries(databases).flatMap(([file, createContains]) =>
    listFolderCopies(dataDir, file).map((copy) => ({ ...copy, holds: createContains })),
  );
  for (const { path, time, isSkipped, holds: createContains } of copies.toSorted(
    (leftCopy, rightCopy) => rightCopy.time - leftCopy.time,
  )) {
    const contains = isSkipped
      ? undefined
      : readDatabaseFile(path, (database) => records.map(createContains(database)));
    const backup = { name: basename(path), time: new Date(time).toISOString(), place: 'first' as const };
    localNames.add(backup.name);
    for (const [index, backups] of copiesByRecord.entries())
      if (contains?.[index] !== false) backups.push(backup);
  }
  for (const { name, time } of secondaryBackups) {
    if (localNames.has(name)) continue;
    const backup = { name, time: new Date(time).toISOString(), place: 'second' as const };
    for (const [index, erasure] of records.entries()) {
      if (backup.time <= erasure.time) copiesByRecord[index]?.push(backup);
    }
  }
  return copiesByRecord.map((backups) =>
    backups.toSorted((leftCopy, rightCopy) => rightCopy.time.localeCompare(leftCopy.time)),
  );
}

/**
 * Returns the backups of a database, including unopenable and unfinished ones, and the files that a restore
 * moved aside.
 */
function listFolderCopies(dataDir: string, file: string): readonly DatabaseCopy[] {
  const databasePath = join(dataDir, file);
  const backups = [
    ...listBackups(databasePath).map((backup) => ({ ...backup, isSkipped: false })),
    ...[...skippedBackups(databasePath), ...unfinishedBackups(databasePath)].map((backup) => ({
      ...backup,
      isSkipped: true,
    })),
  ];
  const replacedNames = plainFiles(readdirSync(dataDir, { withFileTypes: true }))
    .filter((name) => name.startsWith(`${file}.replaced-`) && !/-(wal|shm)$/.test(name))
    .map((name) => join(dataDir, name))
    .filter((path) => backups.every((backup) => backup.path !== path));
  return [
    ...backups,
    ...replacedNames.map((path) => ({ path, time: statSync(path).mtimeMs, isSkipped: false })),
  ];
}
