import { carryLog } from './carry-log.ts';
import { walPages } from './connection-settings.ts';
import type { SqliteDatabase } from './sqlite.ts';

/**
 * Pages that the WAL gathers while writes come in great number: what goes into the database at once is then written
 * and synced in some 10 ms, in which nothing else is answered; the whole WAL would take forty times as long.
 */
const bulkPages = 1000;

/** Keeps checkpoints small while anyone writes in great number. */
export class BulkWriting {
  private database: SqliteDatabase | undefined;
  private under = 0;

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
    return carryLog(this.database, (pages) => pages >= bulkPages);
  }

  private enter(change: 1 | -1): void {
    this.under += change;
    this.set();
  }

  private set(): void {
    if (!this.database?.open) return;
    this.database.pragma(`wal_autocheckpoint = ${this.under > 0 ? 2 * bulkPages : walPages}`);
  }
}
