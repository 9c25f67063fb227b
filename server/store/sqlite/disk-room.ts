import { statfsSync } from 'node:fs';
import { takesWrite } from './open-database.ts';
import type { SqliteDatabase } from './sqlite.ts';

/** Bytes that a disk has at least before it is said to have room again: small writes go into what the log has already. */
const enough = 1024 ** 2;

/** Bytes below which it is full when it is first looked at: an opening may find a page's room that no record has. */
const little = 64 * 1024;

/** Whether the disk takes what is written, as the last writes found it. */
export class DiskRoom {
  full = false;
  private readonly folder: string;
  private listener: (full: boolean) => void = () => undefined;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** To be told of each commit, and of each write that found no room. */
  note(full: boolean): void {
    if (full === this.full || (!full && this.room() < enough)) return;
    this.full = full;
    this.listener(full);
  }

  /** Looks whether an open database takes a write. */
  probe(database: SqliteDatabase): void {
    if (!database.readonly) this.note(!takesWrite(database) || this.room() < little);
  }

  /** Calls whenever that changes, and at once where the disk is full already. */
  onChange(listener: (full: boolean) => void): void {
    this.listener = listener;
    if (this.full) listener(true);
  }

  /** Bytes that are free. */
  private room(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }
}
