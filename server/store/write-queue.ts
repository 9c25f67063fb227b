import type { SqliteDatabase } from './sqlite.ts';

interface Job {
  /** Does the work in a savepoint of its own; what it returns tells the outcome once the commit is through. */
  readonly run: () => () => void;
  readonly fail: (reason: unknown) => void;
}

/**
 * Commits writes that arrive together in one immediate transaction: a commit waits for the disk, and eight clients
 * need not wait eight times. Each write has a savepoint of its own, so that one that fails leaves the others whole,
 * and none is answered before the commit is through.
 */
export class WriteQueue {
  private readonly database: SqliteDatabase;
  private waiting: Job[] = [];

  constructor(database: SqliteDatabase) {
    this.database = database;
  }

  /** Resolves with the work's result once it is committed; rejects where the work or the commit fails. */
  add<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      const inSavepoint = this.database.transaction(work);
      const run = () => {
        try {
          const result = inSavepoint();
          return () => {
            resolve(result);
          };
        } catch (error) {
          return () => {
            reject(error instanceof Error ? error : new Error('A write failed.', { cause: error }));
          };
        }
      };
      if (this.waiting.length === 0) {
        setImmediate(() => {
          this.flush();
        });
      }
      this.waiting.push({ run, fail: reject });
    });
  }

  /** Commits what waits; called before the database is closed, and by the queue itself. */
  flush(): void {
    const jobs = this.waiting;
    this.waiting = [];
    if (jobs.length === 0) return;
    try {
      const outcomes = this.database.transaction(() => jobs.map(({ run }) => run())).immediate();
      for (const tell of outcomes) tell();
    } catch (error) {
      for (const { fail } of jobs) fail(error);
    }
  }
}
