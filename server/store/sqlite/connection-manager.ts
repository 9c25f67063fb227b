/**
 * Owns the open database of a store and its prepared statements. Reopens it after a disk error and around a restore.
 * Invariant: no reopened file contains a write that was reported as failed.
 */
import { dropFailedFrames } from '../../sqlite/failed-frames.ts';
import { acquireLock, type Release } from '../../sqlite/folder-lock.ts';
import {
  closeDatabase,
  isExclusive,
  openLocked,
  reopenLocked,
  type Migrations,
} from '../../sqlite/open-database.ts';
import { connectReadOnly, isDiskError, type SqliteDatabase } from '../../sqlite/sqlite.ts';
import type { WriteQueue } from './write-queue.ts';

/** Runs work after a delay in milliseconds. Returns a function that cancels it. */
export type ScheduleOnce = (milliseconds: number, work: () => void) => () => void;

export interface ConnectionManagerOptions<Parts> {
  readonly path: string;
  readonly migrations: Migrations;
  /** Creates the objects that use one connection. `onDiskError` reports disk errors. */
  readonly createParts: (database: SqliteDatabase, onDiskError: (fault: unknown) => void) => Parts;
  readonly scheduleOnce?: ScheduleOnce;
}

/** Delays in milliseconds before a failed disk is retried. Each is twice the previous one. */
const retryDelaysMs = { first: 50, longest: 5000 };

const afterTimeout: ScheduleOnce = (milliseconds, work) => {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
};

export class ConnectionManager<Parts extends { readonly writes: WriteQueue }> {
  /** Objects of the current connection. Do not store a reference to them. */
  parts: Parts;
  /** True if no reader can be opened, because the disk had no space for the shared memory file. */
  isExclusive: boolean;
  private database: SqliteDatabase;
  private readonly options: ConnectionManagerOptions<Parts>;
  private readonly scheduleOnce: ScheduleOnce;
  private retryDelayMs = retryDelaysMs.first;
  private cancelRetry: () => void = () => undefined;
  private isClosed = false;
  private readonly release: Release;

  /** @throws DataFolderError as `acquireLock` and `openDatabase` do. */
  constructor(options: ConnectionManagerOptions<Parts>) {
    this.options = options;
    this.scheduleOnce = options.scheduleOnce ?? afterTimeout;
    this.release = acquireLock(options.path);
    try {
      this.database = openLocked(options.path, options.migrations);
      this.isExclusive = isExclusive(this.database);
      this.parts = this.partsOn(this.database);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** Reopens an exclusive database so that readers can be opened. Call it once the disk has space. */
  openReaders(): void {
    if (this.isClosed || this.parts.writes.refuses || !this.isExclusive) return;
    this.parts.writes.flush();
    closeDatabase(this.database);
    try {
      this.useConnection(reopenLocked(this.options.path, this.options.migrations));
    } catch (error) {
      this.reopen(error);
    }
  }

  /**
   * Closes the database, swaps its file and opens the new one. No request is answered in between.
   *
   * @throws the error of `swap` or of the opening. Then `undo` has restored the previous file, and it is open
   * again.
   */
  swapFile(swap: () => void, undo: () => void): void {
    if (this.isClosed) throw new Error('The store was closed.');
    this.parts.writes.flush();
    this.parts.writes.refuseAfterFault();
    closeDatabase(this.database);
    try {
      swap();
      this.useConnection(reopenLocked(this.options.path, this.options.migrations));
    } catch (error) {
      undo();
      this.reopen(error);
      throw error;
    }
  }

  get path(): string {
    return this.options.path;
  }

  close(): void {
    this.isClosed = true;
    this.cancelRetry();
    this.parts.writes.flush();
    // After a disk error the open mark stays, so that the next start verifies the file.
    if (this.parts.writes.refuses) this.database.close();
    else closeDatabase(this.database);
    this.release();
  }

  private partsOn(database: SqliteDatabase): Parts {
    return this.options.createParts(database, (fault) => {
      dropFailedFrames(database);
      this.reopenLater(fault);
    });
  }

  private useConnection(database: SqliteDatabase): void {
    try {
      this.parts = this.partsOn(database);
      this.database = database;
      this.isExclusive = isExclusive(database);
    } catch (error) {
      if (isDiskError(error)) dropFailedFrames(database);
      database.close();
      throw error;
    }
  }

  private reopenLater(fault: unknown): void {
    if (this.isClosed) return;
    this.cancelRetry = this.scheduleOnce(this.retryDelayMs, () => this.reopen(fault));
    this.retryDelayMs = Math.min(this.retryDelayMs * 2, retryDelaysMs.longest);
  }

  /** Reopens the database, read-only if it can't be written yet. */
  private reopen(fault: unknown): void {
    const { path, migrations } = this.options;
    this.database.close();
    try {
      this.useConnection(reopenLocked(path, migrations));
      this.retryDelayMs = retryDelaysMs.first;
    } catch {
      this.useReadOnly(fault);
      this.reopenLater(fault);
    }
  }

  private useReadOnly(fault: unknown): void {
    try {
      this.useConnection(connectReadOnly(this.options.path));
    } catch {
      // The objects of the closed database continue to refuse requests.
    }
    this.parts.writes.refuse(fault);
  }
}
