/**
 * Keeps the one open database of a store, with all that was prepared on it, and opens it anew: after the disk failed a
 * write, and around a restore. Invariant: what was reported as not written is in no file that is opened again.
 */
import { dropFailedFrames } from './failed-frames.ts';
import { hold, type Release } from './folder-lock.ts';
import { closeDatabase, isAlone, openHeld, reopenHeld, type Migrations } from './open-database.ts';
import { connectToLook, isDiskFault, type SqliteDatabase } from './sqlite.ts';
import type { WriteQueue } from './write-queue.ts';

/** Runs work after so many milliseconds; answers how to call it off. */
export type Later = (milliseconds: number, work: () => void) => () => void;

export interface KeeperParts<Parts> {
  readonly path: string;
  readonly migrations: Migrations;
  /** All that stands on one open database; `failed` is for faults of the disk. */
  readonly partsOf: (database: SqliteDatabase, failed: (fault: unknown) => void) => Parts;
  readonly later?: Later;
}

/** Milliseconds until a failed disk is tried again: each time twice as long. */
const waits = { first: 50, longest: 5000 };

const afterTimeout: Later = (milliseconds, work) => {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
};

export class DatabaseKeeper<Parts extends { readonly writes: WriteQueue }> {
  /** What stands on the database as it is open now; not to be held beyond one call. */
  parts: Parts;
  /** Whether no reader can be opened beside, as the disk had no room for what they share. */
  alone: boolean;
  private database: SqliteDatabase;
  private readonly given: KeeperParts<Parts>;
  private readonly later: Later;
  private wait = waits.first;
  private callOff: () => void = () => undefined;
  private closed = false;
  private readonly release: Release;

  /** @throws DataFolderError as `hold` and `openDatabase` do. */
  constructor(given: KeeperParts<Parts>) {
    this.given = given;
    this.later = given.later ?? afterTimeout;
    this.release = hold(given.path);
    try {
      this.database = openHeld(given.path, given.migrations);
      this.alone = isAlone(this.database);
      this.parts = this.partsOn(this.database);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** Opens the database anew where it is alone, so that readers can be opened; to be called once there is room. */
  share(): void {
    if (this.closed || this.parts.writes.refuses || !this.alone) return;
    this.parts.writes.flush();
    closeDatabase(this.database);
    try {
      this.use(reopenHeld(this.given.path, this.given.migrations));
    } catch (error) {
      this.reopen(error);
    }
  }

  /**
   * Closes the database, has its file swapped, and opens what is there then; no request is answered in between.
   *
   * @throws what `swap` or the opening throws; `undo` has then put the former file back, and it is open again.
   */
  swapFile(swap: () => void, undo: () => void): void {
    if (this.closed) throw new Error('The store was closed.');
    this.parts.writes.flush();
    this.parts.writes.refuseAfterFault();
    closeDatabase(this.database);
    try {
      swap();
      this.use(reopenHeld(this.given.path, this.given.migrations));
    } catch (error) {
      undo();
      this.reopen(error);
      throw error;
    }
  }

  get path(): string {
    return this.given.path;
  }

  close(): void {
    this.closed = true;
    this.callOff();
    this.parts.writes.flush();
    // Behind a failed disk the next start is to look at the file.
    if (this.parts.writes.refuses) this.database.close();
    else closeDatabase(this.database);
    this.release();
  }

  private partsOn(database: SqliteDatabase): Parts {
    return this.given.partsOf(database, (fault) => {
      dropFailedFrames(database);
      this.reopenLater(fault);
    });
  }

  private use(database: SqliteDatabase): void {
    try {
      this.parts = this.partsOn(database);
      this.database = database;
      this.alone = isAlone(database);
    } catch (error) {
      if (isDiskFault(error)) dropFailedFrames(database);
      database.close();
      throw error;
    }
  }

  private reopenLater(fault: unknown): void {
    if (this.closed) return;
    this.callOff = this.later(this.wait, () => this.reopen(fault));
    this.wait = Math.min(this.wait * 2, waits.longest);
  }

  /** Opens the database anew, or for reading alone where it cannot be written yet. */
  private reopen(fault: unknown): void {
    const { path, migrations } = this.given;
    this.database.close();
    try {
      this.use(reopenHeld(path, migrations));
      this.wait = waits.first;
    } catch {
      this.readOn(fault);
      this.reopenLater(fault);
    }
  }

  private readOn(fault: unknown): void {
    try {
      this.use(connectToLook(this.given.path));
    } catch {
      // Not even that: what stood on the closed database goes on refusing.
    }
    this.parts.writes.refuse(fault);
  }
}
