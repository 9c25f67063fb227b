import type { NewAuditEntry } from '../audit-rows.ts';
import type { Chain } from './chain.ts';
import type { Postgres, Session } from './connection.ts';
import { causeOf, codeOf } from './faults.ts';

/** What a piece of work writes with. */
export interface Writing {
  readonly session: Session;
  /** Takes an entry of the audit trail, which is committed with the work. */
  readonly note: (entry: NewAuditEntry) => void;
}

/** `work` may run more than once: what it did before is then undone. */
interface Job {
  readonly work: (writing: Writing) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Writes of one commit. */
const most = 32;

/** Times that a write is tried which another server's undid. */
const tries = 5;

/** PostgreSQL's names of a transaction that was undone for another's sake. */
const undone = new Set(['40001', '40P01']);

/**
 * Commits writes that arrive together in one transaction, with their entries in the audit trail: the chain takes them one
 * behind the other in any case, and a commit waits for the disk. None is answered before the commit is through. Where one
 * fails, all are undone and each is tried alone, so that it fails alone.
 */
export class Writes {
  private readonly database: Postgres;
  private readonly chain: Chain;
  private waiting: Job[] = [];
  private running: Promise<void> | undefined;

  constructor(database: Postgres, chain: Chain) {
    this.database = database;
    this.chain = chain;
  }

  /** Resolves with the work's result once it is committed; rejects where the work or the commit fails. */
  add<Result>(work: (writing: Writing) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ work, resolve: (result) => resolve(result as Result), reject });
      this.running ??= this.run();
    });
  }

  /** Resolves once nothing waits. */
  async settle(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    // What comes in the same turn shares the commit.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const jobs = this.waiting.splice(0, most);
      try {
        await this.commit(jobs);
      } catch (error) {
        if (jobs.length === 1 && !undone.has(codeOf(causeOf(error)))) jobs[0]?.reject(error);
        else for (const job of jobs) await this.commitAlone(job);
      }
    }
    this.running = undefined;
  }

  private async commitAlone(job: Job): Promise<void> {
    for (let left = tries; ; left -= 1) {
      try {
        await this.commit([job]);
        return;
      } catch (error) {
        if (left > 1 && undone.has(codeOf(causeOf(error)))) continue;
        job.reject(error);
        return;
      }
    }
  }

  private async commit(jobs: readonly Job[]): Promise<void> {
    // Taken before the transaction: it has a connection of its own.
    await this.chain.node();
    const results = await this.database.transaction(async (session) => {
      const entries: NewAuditEntry[] = [];
      const done: unknown[] = [];
      for (const { work } of jobs) done.push(await work({ session, note: (entry) => entries.push(entry) }));
      await this.chain.add(session, entries);
      return done;
    });
    this.chain.committed();
    for (const [at, { resolve }] of jobs.entries()) resolve(results[at]);
  }
}
