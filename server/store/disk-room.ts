import { statfsSync } from 'node:fs';
import { takesWrite } from './open-database.ts';
import type { SqliteDatabase } from './sqlite.ts';

/** Bytes that a disk has at least before it is said to have room again: small writes go into what the log has already. */
const enough = 1024 ** 2;

/** Whether the disk takes what is written, as the last writes found it. */
export class DiskRoom {
  private readonly folder: string;
  private listener: (full: boolean) => void = () => undefined;
  private isFull = false;

  constructor(folder: string) {
    this.folder = folder;
  }

  get full(): boolean {
    return this.isFull;
  }

  /** To be told of each commit, and of each write that found no room. */
  note(full: boolean): void {
    if (full === this.isFull || (!full && !this.hasRoom())) return;
    this.isFull = full;
    this.listener(full);
  }

  /** Looks whether an open database takes a write. */
  probe(database: SqliteDatabase): void {
    if (!database.readonly) this.note(!takesWrite(database));
  }

  /** Calls whenever that changes, and at once where the disk is full already. */
  onChange(listener: (full: boolean) => void): void {
    this.listener = listener;
    if (this.isFull) listener(true);
  }

  private hasRoom(): boolean {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize >= enough;
  }
}
