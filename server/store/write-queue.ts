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
  private readonly changed: () => void;
  private waiting: Job[] = [];

  /** `changed` is called after each piece of work and each rollback: what was read before holds no more. */
  constructor(database: SqliteDatabase, changed: () => void) {
    this.database = database;
    this.changed = changed;
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
      this.changed();
      const [first] = jobs;
      if (jobs.length === 1) first?.reject(error);
      else for (const job of jobs) this.commitAlone(job);
    }
  }

  private commitAlone(job: Job): void {
    try {
      this.commit([job]);
    } catch (error) {
      this.changed();
      job.reject(error);
    }
  }

  private run(work: Job['work']): unknown {
    const result = work();
    this.changed();
    return result;
  }

  private commit(jobs: readonly Job[]): void {
    const results = this.database.transaction(() => jobs.map(({ work }) => this.run(work))).immediate();
    for (const [index, { resolve }] of jobs.entries()) resolve(results[index]);
  }
}
