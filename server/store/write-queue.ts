import type { SqliteDatabase } from './sqlite.ts';

/** A write that waits for its commit. `work` may run twice: what it did the first time is then undone. */
interface Job {
  readonly work: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Commits writes that arrive together in one immediate transaction: a commit waits for the disk, and eight clients
 * need not wait eight times. None is answered before the commit is through. Where one fails, all are undone and each
 * is tried alone, so that it fails alone; savepoints would cost every write a copy of the pages that it touches.
 */
export class WriteQueue {
  private readonly database: SqliteDatabase;
  private readonly undone: () => void;
  private waiting: Job[] = [];

  /** `undone` is called after each rollback: what was read meanwhile never was. */
  constructor(database: SqliteDatabase, undone: () => void) {
    this.database = database;
    this.undone = undone;
  }

  /** Resolves with the work's result once it is committed; rejects where the work or the commit fails. */
  add<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) {
        setImmediate(() => {
          this.flush();
        });
      }
      this.waiting.push({ work, resolve: (result) => resolve(result as Result), reject });
    });
  }

  /** Commits what waits; called before the database is closed, and by the queue itself. */
  flush(): void {
    const jobs = this.waiting;
    this.waiting = [];
    if (jobs.length === 0) return;
    try {
      this.commit(jobs);
    } catch (error) {
      this.undone();
      const [first] = jobs;
      if (jobs.length === 1) first?.reject(error);
      else for (const job of jobs) this.commitAlone(job);
    }
  }

  private commitAlone(job: Job): void {
    try {
      this.commit([job]);
    } catch (error) {
      this.undone();
      job.reject(error);
    }
  }

  private commit(jobs: readonly Job[]): void {
    const results = this.database.transaction(() => jobs.map(({ work }) => work())).immediate();
    for (const [index, { resolve }] of jobs.entries()) resolve(results[index]);
  }
}
