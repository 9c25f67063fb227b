import { basename } from 'node:path';
import type { AuditAction } from '../../../core/app/audit.ts';
import type { SqliteAudit } from './audit.ts';
import type { Questioner } from './asking.ts';
import type { NewAuditEntry } from '../audit-rows.ts';
import type { SealKey } from '../audit-chain.ts';
import { backUp, backUpBeside, emptyTables } from './backup.ts';
import type { DatabaseKeeper } from './database-keeper.ts';
import { byOf, type Doer } from '../doer.ts';
import { eraseRecordsIn } from './erase.ts';
import { recordMigrations } from './migrations.ts';
import { highestNumber, numberOn } from './numbering.ts';
import { compareReplaced, draftOfBackup, swapBack, swapIn } from './restore.ts';
import type { Parts } from './sqlite-parts.ts';
import { preparePluck, readIn, type SqliteDatabase } from './sqlite.ts';
import type { Erasing, FileBackups } from '../store.ts';

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
export class SqliteFiles implements FileBackups {
  private readonly given: FileParts;

  constructor(given: FileParts) {
    this.given = given;
  }

  private get parts(): Parts {
    return this.given.keeper.parts;
  }

  async empty(backup: string, doer: Doer): Promise<number> {
    const { writes, database, trail } = this.parts;
    void this.given.audit.flush();
    return writes.direct(() => {
      const bytes = backUp(database, backup);
      const entries = [entryOf('backup', backup, doer), entryOf('reset', backup, doer)];
      emptyTables(database, () => trail.add(entries));
      // Whoever begins anew gets the same numbers each time.
      this.parts.taken = 0;
      this.parts.rebuild.settle();
      return bytes;
    });
  }

  async changedSince(backup: string | undefined): Promise<boolean> {
    const newest = newestVersion(this.parts.database);
    return newest !== (backup === undefined ? undefined : newestVersionIn(backup));
  }

  async backUp(path: string, doer = nobody): Promise<number> {
    this.parts.settle();
    const bytes = await backUpBeside(this.parts.database, path);
    this.given.audit.note(entryOf('backup', path, doer));
    return bytes;
  }

  async restore(
    backup: string,
    before: string,
    doer = nobody,
    erased: readonly Erasing[] = [],
  ): Promise<readonly string[]> {
    const { path } = this.given.keeper;
    const draft = await draftOfBackup(path, backup, recordMigrations);
    let leftOut: readonly string[] = [];
    await this.given.questions.without(() => {
      // What was noted until now belongs to the file that goes.
      void this.given.audit.flush();
      this.parts.writes.flush();
      const highest = highestNumber(this.parts.database);
      this.given.keeper.swapFile(
        () => {
          numberOn(draft, recordMigrations, highest);
          leftOut = eraseRecordsIn(draft, erased, this.given.key);
          swapIn(path, draft, before);
        },
        () => swapBack(path, before),
      );
    });
    this.given.audit.begin();
    this.given.audit.note(entryOf('restore', backup, doer));
    await this.given.audit.flush();
    this.given.opened();
    await compareReplaced(before);
    return leftOut;
  }
}

/** What the audit trail says of the files of a store. */
function entryOf(action: AuditAction, file: string, doer: Doer): NewAuditEntry {
  const { requestId } = doer;
  const status = requestId === '' ? 0 : 200;
  return { time: Date.now(), ...byOf(doer), action, what: basename(file), status, requestId };
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

/** The same of the backup at `path`; undefined where it cannot be read. */
function newestVersionIn(path: string): string | undefined {
  return readIn(path, newestVersion);
}
