import { isDiskFault, isFull, type SqliteDatabase } from './sqlite.ts';

/** A write that waits for its commit. `work` may run twice: what it did the first time is then undone. */
interface Job {
  readonly work: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Writes of one commit that are waited for. */
const most = 64;

/**
 * Commits writes that arrive together in one immediate transaction: a commit waits for the disk, and eight clients
 * need not wait eight times. None is answered before the commit is through. Where one fails, all are undone and each
 * is tried alone, so that it fails alone; savepoints would cost every write a copy of the pages that it touches.
 *
 * Where the disk fails, nobody knows what it holds: nothing is written through this queue any more.
 */
export class WriteQueue {
  private readonly database: SqliteDatabase;
  private readonly changed: (undone: boolean) => void;
  private readonly failed: (fault: unknown) => void;
  private readonly before: (() => boolean) | undefined;
  private readonly took: (full: boolean) => void;
  private waiting: Job[] = [];
  private fault: unknown;

  /**
   * `changed` is called after each piece of work, and with `undone` after each rollback and where more than versions
   * changed: what was read before holds no more. `failed` is called once, where the disk failed. `before` is asked before writes are committed; they have the next turn where it
   * did something else. `took` is told with each commit whether the disk was full.
   */
  constructor(
    database: SqliteDatabase,
    changed: (undone: boolean) => void,
    failed: (fault: unknown) => void = () => undefined,
    before?: () => boolean,
    took: (full: boolean) => void = () => undefined,
  ) {
    this.took = took;
    this.before = before;
    this.database = database;
    this.changed = changed;
    this.failed = failed;
  }

  /** Resolves with the work's result once it is committed; rejects where the work or the commit fails. */
  add<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.refuseAfterFault();
      if (this.waiting.length === 0) this.commitSoon(0);
      this.waiting.push({ work, resolve: (result) => resolve(result as Result), reject });
    });
  }

  /** Commits behind the first turn of the event loop in which no other write came: those under way share the commit. */
  private commitSoon(came: number): void {
    setImmediate(() => {
      const { length } = this.waiting;
      if (length > came && length < most) this.commitSoon(length);
      else if (this.before?.()) setImmediate(() => this.flush());
      else this.flush();
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
      const [first] = jobs;
      if (jobs.length === 1) first?.reject(error);
      else for (const job of jobs) this.commitAlone(job);
    }
  }

  /** Commits at once what work derives of records, behind what waits. */
  now(work: () => void): void {
    this.flush();
    this.refuseAfterFault();
    this.inTransaction([{ work }]);
  }

  /** Runs work that commits by itself; what waits is committed before. */
  direct<Result>(work: () => Result): Result {
    this.flush();
    this.refuseAfterFault();
    try {
      return work();
    } catch (error) {
      this.note(error);
      throw error;
    } finally {
      this.changed(true);
    }
  }

  /** Refuses whatever comes from now on. */
  refuse(fault: unknown): void {
    this.fault = fault;
  }

  /** Whether all is refused, the disk having failed. */
  get refuses(): boolean {
    return this.fault !== undefined;
  }

  /** @throws the fault of the disk, where there was one. */
  refuseAfterFault(): void {
    // What the driver threw is thrown on: the answer's status follows from it.
    // oxlint-disable-next-line typescript/only-throw-error
    if (this.fault !== undefined) throw this.fault;
  }

  private commitAlone(job: Job): void {
    try {
      this.commit([job]);
    } catch (error) {
      job.reject(error);
    }
  }

  private note(error: unknown): void {
    this.changed(true);
    if (isFull(error)) this.took(true);
    if (!isDiskFault(error) || this.fault !== undefined) return;
    this.refuse(error);
    this.failed(error);
  }

  private run(work: Job['work']): unknown {
    const result = work();
    this.changed(false);
    return result;
  }

  private commit(jobs: readonly Job[]): void {
    this.refuseAfterFault();
    const results = this.inTransaction(jobs);
    this.took(false);
    for (const [index, { resolve }] of jobs.entries()) resolve(results[index]);
  }
  private inTransaction(jobs: readonly Pick<Job, 'work'>[]): unknown[] {
    try {
      return this.database.transaction(() => jobs.map(({ work }) => this.run(work))).immediate();
    } catch (error) {
      this.note(error);
      throw error;
    }
  }
}
