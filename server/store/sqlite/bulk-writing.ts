import { carryLog } from './carry-log.ts';
import { walPages } from './connection-settings.ts';
import type { SqliteDatabase } from './sqlite.ts';

/**
 * Pages that the WAL gathers while writes come in great number, at most and at least: what goes into the database at once
 * is then written and synced in some 10 ms, in which nothing else is answered; the whole WAL would take forty times as
 * long. How many that are is the disk's to say: a large database takes them in places far apart.
 */
const bulkPages = { most: 1000, least: 50 };

/** Milliseconds that others wait for that. */
const patience = 15;

/** Keeps checkpoints small while anyone writes in great number. */
export class BulkWriting {
  private database: SqliteDatabase | undefined;
  private under = 0;
  private pages = bulkPages.most;
  private readonly now: () => number;

  /** @param now - A clock in milliseconds. */
  constructor(now = () => performance.now()) {
    this.now = now;
  }

  /** Goes on with a database that was opened anew. */
  use(database: SqliteDatabase): void {
    this.database = database;
    this.set();
  }

  /** Answers the function to be called once at the end. */
  begin(): () => void {
    this.enter(1);
    return () => {
      this.enter(-1);
    };
  }

  /**
   * Carries the log over where enough of it has gathered while writes come in great number. To be called before writes,
   * which then have the next turn; true where it was done.
   */
  makeRoom(): boolean {
    if (this.under === 0 || !this.database?.open) return false;
    const started = this.now();
    const carried = carryLog(this.database, (pages) => pages >= this.pages);
    if (carried) this.adapt(this.now() - started);
    return carried;
  }

  /** Has as many pages gather as are carried over in time; a disk that was slow once is trusted again by and by. */
  private adapt(milliseconds: number): void {
    const { least, most } = bulkPages;
    const fitting = this.pages * Math.min(patience / milliseconds, 1.5);
    this.pages = Math.round(Math.min(most, Math.max(least, fitting)));
  }

  private enter(change: 1 | -1): void {
    this.under += change;
    this.set();
  }

  private set(): void {
    if (!this.database?.open) return;
    this.database.pragma(`wal_autocheckpoint = ${this.under > 0 ? 2 * bulkPages.most : walPages}`);
  }
}
