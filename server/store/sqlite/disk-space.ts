import { statfsSync } from 'node:fs';
import { takesWrite } from '../../sqlite/open-database.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';

/** Free bytes before the disk counts as usable again. Small writes fit into the existing WAL. */
const minFreeBytes = 1024 ** 2;

/**
 * Free bytes below which the first probe reports a full disk. An open may find space for one page but not for a record.
 */
const minFreeBytesAtStart = 64 * 1024;

/** Tracks if the disk accepts writes, by the last writes. */
export class DiskSpace {
  isFull = false;
  private readonly folder: string;
  private listener: (full: boolean) => void = () => undefined;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Records the outcome of a commit, or of a write that found no space. */
  setFull(full: boolean): void {
    if (full === this.isFull || (!full && this.freeBytes() < minFreeBytes)) return;
    this.isFull = full;
    this.listener(full);
  }

  /** Probes if an open database accepts a write. */
  probeWith(database: SqliteDatabase): void {
    if (!database.readonly) this.setFull(!takesWrite(database) || this.freeBytes() < minFreeBytesAtStart);
  }

  /** Calls the listener at each change, and at once if the disk is full. */
  onChange(listener: (full: boolean) => void): void {
    this.listener = listener;
    if (this.isFull) listener(true);
  }

  /** Returns the free bytes. */
  private freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }
}
