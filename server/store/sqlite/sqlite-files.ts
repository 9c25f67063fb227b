import { basename } from 'node:path';
import type { AuditAction } from '../../../core/app/audit.ts';
import type { SqliteAudit } from './audit.ts';
import type { Questioner } from './asking.ts';
import { doneEntry, type NewAuditEntry } from '../audit-rows.ts';
import type { SealKey } from '../audit-chain.ts';
import { backUp, backUpBeside, emptyTables } from './backup.ts';
import type { DatabaseKeeper } from './database-keeper.ts';
import type { Doer } from '../doer.ts';
import { eraseRecordsIn } from './erase.ts';
import { recordMigrations } from './migrations.ts';
import { highestNumber, numberOn } from './numbering.ts';
import { compareReplaced, draftOfBackup, swapBack, swapIn } from './restore.ts';
import type { Parts } from './sqlite-parts.ts';
import { preparePluck, readIn, type SqliteDatabase } from './sqlite.ts';
import type { FileBackups } from '../store.ts';

const nobody: Doer = { who: '', requestId: '' };

export interface FileParts {
  readonly keeper: DatabaseKeeper<Parts>;
  readonly questions: Pick<Questioner, 'without'>;
  readonly audit: SqliteAudit;
  readonly key: SealKey | undefined;
  /** Called once another file is open. */
  readonly opened: () => void;
}

/** The store's file as a whole: copied, emptied, and another put in its place. */
export function sqliteFiles({ keeper, questions, audit, key, opened }: FileParts): FileBackups {
  return {
    async empty(backup, doer) {
      const { writes, database, trail } = keeper.parts;
      void audit.flush();
      return writes.direct(() => {
        const bytes = backUp(database, backup);
        const entries = [entryOf('backup', backup, doer), entryOf('reset', backup, doer)];
        emptyTables(database, () => trail.add(entries));
        // Whoever begins anew gets the same numbers each time.
        keeper.parts.taken = 0;
        keeper.parts.rebuild.settle();
        return bytes;
      });
    },

    async changedSince(backup) {
      const newest = newestVersion(keeper.parts.database);
      return newest !== (backup === undefined ? undefined : readIn(backup, newestVersion));
    },

    async backUp(path, doer = nobody) {
      keeper.parts.settle();
      const bytes = await backUpBeside(keeper.parts.database, path);
      audit.note(entryOf('backup', path, doer));
      return bytes;
    },

    async restore(backup, before, doer = nobody, erased = []) {
      const { path } = keeper;
      const draft = await draftOfBackup(path, backup, recordMigrations);
      let leftOut: readonly string[] = [];
      await questions.without(() => {
        // What was noted until now belongs to the file that goes.
        void audit.flush();
        keeper.parts.writes.flush();
        const highest = highestNumber(keeper.parts.database);
        keeper.swapFile(
          () => {
            numberOn(draft, recordMigrations, highest);
            leftOut = eraseRecordsIn(draft, erased, key);
            swapIn(path, draft, before);
          },
          () => swapBack(path, before),
        );
      });
      audit.begin();
      audit.note(entryOf('restore', backup, doer));
      await audit.flush();
      opened();
      await compareReplaced(before);
      return leftOut;
    },
  };
}

/** What the audit trail says of the files of a store. */
function entryOf(action: AuditAction, file: string, doer: Doer): NewAuditEntry {
  return doneEntry(doer, { time: Date.now(), action, what: basename(file), status: 200 });
}

/**
 * What one state of the records is told from another by: place and SHA-256 of the newest version, and of the newest
 * companion; undefined where there is neither. Each write adds a version, and no text is there twice: it holds its own
 * instant. A companion that comes, or is replaced, takes the newest place.
 */
function newestVersion(database: SqliteDatabase): string | undefined {
  const newest = (table: string) =>
    preparePluck<string>(
      database,
      `SELECT pk || ' ' || hex(sha256) FROM ${table} ORDER BY pk DESC LIMIT 1`,
    ).get();
  const [version, companion] = [newest('version'), newest('companion')];
  return version === undefined && companion === undefined ? undefined : `${version ?? ''} ${companion ?? ''}`;
}
