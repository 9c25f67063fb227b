import { isDiskError, isFull, type SqliteDatabase } from '../../sqlite/sqlite.ts';
import { checkpointWal } from './wal-checkpoint.ts';
import { walPages } from '../../sqlite/connection-settings.ts';

/** A write that waits for its commit. `work` may run twice if its first run was rolled back. */
interface Job {
  readonly work: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Maximum number of writes that a commit waits for. */
const maxWrites = 64;

/**
 * Commits writes that arrive together in one immediate transaction, because each commit waits for the disk. A write is
 * acknowledged after the commit. If one fails, all are rolled back and each is retried by itself. Savepoints would cost
 * each write a copy of its pages.
 *
 * After a disk error the stored state is unknown, so the queue rejects all further writes.
 */
export class WriteQueue {
  private readonly database: SqliteDatabase;
  private readonly onChange: (isRolledBack: boolean) => void;
  private readonly onDiskError: (fault: unknown) => void;
  private readonly beforeCommit: (() => boolean) | undefined;
  private readonly onWrite: (full: boolean) => void;
  private pendingJobs: Job[] = [];
  private fault: unknown;

  /**
   * @param onChange - Called after each piece of work, and with `isRolledBack` after each rollback or a larger change.
   * Cached values are then outdated.
   * @param onDiskError - Called once if the disk fails.
   * @param beforeCommit - Called before each commit. If it returns true, the writes get the next turn.
   * @param onWrite - Called with each commit, with true if the disk was full.
   */
  constructor(
    database: SqliteDatabase,
    onChange: (isRolledBack: boolean) => void,
    onDiskError: (fault: unknown) => void = () => undefined,
    beforeCommit?: () => boolean,
    onWrite: (full: boolean) => void = () => undefined,
  ) {
    this.onWrite = onWrite;
    this.beforeCommit = beforeCommit;
    this.database = database;
    this.onChange = onChange;
    this.onDiskError = onDiskError;
  }

  /** Resolves with the result of the work after the commit. Rejects if the work or the commit fails. */
  add<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.refuseAfterFault();
      if (this.pendingJobs.length === 0) this.commitSoon(0);
      this.pendingJobs.push({ work, resolve: (result) => resolve(result as Result), reject });
    });
  }

  /** Commits after the first turn of the event loop without a new write, so that concurrent writes share the commit. */
  private commitSoon(previousCount: number): void {
    setImmediate(() => {
      const { length } = this.pendingJobs;
      if (length > previousCount && length < maxWrites) this.commitSoon(length);
      else if (this.beforeCommit?.()) setImmediate(() => this.flush());
      else this.flush();
    });
  }

  /** Commits pending writes. Called before the database is closed, and by the queue itself. */
  flush(): void {
    const jobs = this.pendingJobs;
    this.pendingJobs = [];
    if (jobs.length === 0) return;
    try {
      this.commit(jobs);
    } catch (error) {
      const [firstJob] = jobs;
      if (jobs.length === 1) firstJob?.reject(error);
      else for (const job of jobs) this.commitAlone(job);
    }
  }

  /** Commits work that derives rows at once, after pending writes. */
  now(work: () => void): void {
    this.flush();
    this.refuseAfterFault();
    this.inTransaction([{ work }]);
  }

  /** Runs work that commits by itself, after pending writes. */
  direct<Result>(work: () => Result): Result {
    this.flush();
    this.refuseAfterFault();
    try {
      return work();
    } catch (error) {
      this.note(error);
      throw error;
    } finally {
      this.onChange(true);
    }
  }

  /** Rejects all further writes. */
  refuse(fault: unknown): void {
    this.fault = fault;
  }

  /** Returns true if all writes are rejected after a disk error. */
  get refuses(): boolean {
    return this.fault !== undefined;
  }

  /** @throws the disk error, if there was one. */
  refuseAfterFault(): void {
    // oxlint-disable-next-line typescript/only-throw-error -- The response status depends on the error of the driver.
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
    this.onChange(true);
    if (isFull(error)) this.onWrite(true);
    if (!isDiskError(error) || this.fault !== undefined) return;
    this.refuse(error);
    this.onDiskError(error);
  }

  private run(work: Job['work']): unknown {
    const result = work();
    this.onChange(false);
    return result;
  }

  private commit(jobs: readonly Job[]): void {
    this.refuseAfterFault();
    const results = this.inTransaction(jobs);
    this.onWrite(false);
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
