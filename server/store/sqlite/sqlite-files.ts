import { basename } from 'node:path';
import type { AuditAction } from '../../../core/app/audit.ts';
import type { SqliteAudit } from './audit.ts';
import type { ReaderClient } from './reader-client.ts';
import { doneEntry, type SealKey, type NewAuditEntry } from '../audit-chain.ts';
import { backUp, backUpInWorker, emptyTables } from '../../sqlite/backup.ts';
import type { ConnectionManager } from './connection-manager.ts';
import type { Actor } from '../actor.ts';
import { eraseRecordsIn } from './erase.ts';
import { recordMigrations } from './migrations.ts';
import { highestNumber, numberOn } from './numbering.ts';
import { compareReplaced, draftOfBackup, swapBack, swapIn } from '../../sqlite/restore.ts';
import type { ConnectionParts } from './sqlite-parts.ts';
import { preparePluck, readDatabaseFile, type SqliteDatabase } from '../../sqlite/sqlite.ts';
import type { FileBackups } from '../store.ts';

const nobody: Actor = { who: '', requestId: '' };

export interface FileParts {
  readonly manager: ConnectionManager<ConnectionParts>;
  readonly readerClient: Pick<ReaderClient, 'runWithoutReaders'>;
  readonly audit: SqliteAudit;
  readonly key: SealKey | undefined;
  /** Called once another file is open. */
  readonly onOpened: () => void;
}

/** Copies, empties and replaces the file of a store. */
export function sqliteFiles({ manager, readerClient, audit, key, onOpened }: FileParts): FileBackups {
  return {
    async empty(backup, actor) {
      const { writes, database, auditLog } = manager.parts;
      void audit.flush();
      return writes.direct(() => {
        const bytes = backUp(database, backup);
        const entries = [entryOf('backup', backup, actor), entryOf('reset', backup, actor)];
        emptyTables(database, () => auditLog.add(entries));
        // After a reset, the same actions produce the same version numbers each time.
        manager.parts.highestUsedVersion = 0;
        manager.parts.rebuild.storePlan();
        return bytes;
      });
    },

    async changedSince(backup) {
      const newest = findLatestVersion(manager.parts.database);
      return newest !== (backup === undefined ? undefined : readDatabaseFile(backup, findLatestVersion));
    },

    async backUp(path, actor = nobody) {
      manager.parts.writeBacklog();
      const bytes = await backUpInWorker(manager.parts.database, path);
      audit.note(entryOf('backup', path, actor));
      return bytes;
    },

    async restore(backup, before, actor = nobody, erasedRecords = []) {
      const { path } = manager;
      const draft = await draftOfBackup(path, backup, recordMigrations);
      let excludedNames: readonly string[] = [];
      await readerClient.runWithoutReaders(() => {
        // Queued entries belong to the file that is replaced.
        void audit.flush();
        manager.parts.writes.flush();
        const highest = highestNumber(manager.parts.database);
        manager.swapFile(
          () => {
            numberOn(draft, recordMigrations, highest);
            excludedNames = eraseRecordsIn(draft, erasedRecords, key);
            swapIn(path, draft, before);
          },
          () => swapBack(path, before),
        );
      });
      audit.begin();
      audit.note(entryOf('restore', backup, actor));
      await audit.flush();
      onOpened();
      await compareReplaced(before);
      return excludedNames;
    },
  };
}

/** Builds the audit entry of a change of the store file. */
function entryOf(action: AuditAction, file: string, actor: Actor): NewAuditEntry {
  return doneEntry(actor, { time: Date.now(), action, what: basename(file), status: 200 });
}

/**
 * Identifies a state of the records by key and SHA-256 of the latest version and the latest supporting resource.
 * Returns undefined in an empty store. Each write adds a version, and no text occurs twice, because it contains its
 * instant. A new or replaced supporting resource gets the latest key.
 */
function findLatestVersion(database: SqliteDatabase): string | undefined {
  const newest = (table: string) =>
    preparePluck<string>(
      database,
      `SELECT pk || ' ' || hex(sha256) FROM ${table} ORDER BY pk DESC LIMIT 1`,
    ).get();
  const [version, companion] = [newest('version'), newest('companion')];
  return version === undefined && companion === undefined ? undefined : `${version ?? ''} ${companion ?? ''}`;
}
