import { checkpointWal } from './wal-checkpoint.ts';
import { walPages } from '../../sqlite/connection-settings.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';

/**
 * WAL pages per checkpoint during bulk writing. Such a checkpoint takes some 10 ms and blocks other requests. A full
 * WAL would take forty times as long. The limit adapts to the disk: a large database writes to distant pages.
 */
const bulkPages = { maxPages: 1000, minPages: 50 };

/** Longest time in milliseconds that a checkpoint may block other requests. */
const maxBlockingMs = 15;

/** Keeps checkpoints small during bulk writing. */
export class BulkWriting {
  private database: SqliteDatabase | undefined;
  private activeWriterCount = 0;
  private pages = bulkPages.maxPages;
  private readonly now: () => number;

  /** @param now - A clock in milliseconds. */
  constructor(now = () => performance.now()) {
    this.now = now;
  }

  /** Continues with a reopened database. */
  attach(database: SqliteDatabase): void {
    this.database = database;
    this.setAutoCheckpoint();
  }

  /** Starts bulk writing. Call the returned function once at the end. */
  startWriter(): () => void {
    this.changeWriterCount(1);
    return () => {
      this.changeWriterCount(-1);
    };
  }

  /**
   * Checkpoints the WAL if bulk writing has filled it. Call it before writes, which then get the next turn.
   *
   * @returns True if it ran a checkpoint.
   */
  checkpointIfFull(): boolean {
    if (this.activeWriterCount === 0 || !this.database?.open) return false;
    const startedAtMs = this.now();
    const isCheckpointed = checkpointWal(this.database, (pages) => pages >= this.pages);
    if (isCheckpointed) this.adaptPageLimit(this.now() - startedAtMs);
    return isCheckpointed;
  }

  /** Adapts the page limit to the measured time. A disk that was slow once regains its limit step by step. */
  private adaptPageLimit(milliseconds: number): void {
    const { minPages, maxPages } = bulkPages;
    const fitting = this.pages * Math.min(maxBlockingMs / milliseconds, 1.5);
    this.pages = Math.round(Math.min(maxPages, Math.max(minPages, fitting)));
  }

  private changeWriterCount(change: 1 | -1): void {
    this.activeWriterCount += change;
    this.setAutoCheckpoint();
  }

  private setAutoCheckpoint(): void {
    if (!this.database?.open) return;
    this.database.pragma(
      `wal_autocheckpoint = ${this.activeWriterCount > 0 ? 2 * bulkPages.maxPages : walPages}`,
    );
  }
}
