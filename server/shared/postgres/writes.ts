import type { NamedResource } from '../../../core/fhir/supporting-resource.ts';
import type { NewAuditEntry } from '../../store/audit-chain.ts';
import type { Chain } from './chain.ts';
import type { Postgres, Session } from './connection.ts';
import { causeOf } from './driver-errors.ts';
import { FindingEndCounter } from './finding-ends.ts';
import { timeoutMs } from './pools.ts';
import { codeOf, StoreBusyError, StoreUnconfirmedError } from '../../store/store-error.ts';

export interface RowWriteContext {
  readonly session: Session;
  readonly findingEndCounter: FindingEndCounter;
}

export interface WriteContext extends RowWriteContext {
  /** Appends an entry to the audit log with the commit. */
  readonly note: (entry: NewAuditEntry) => void;
  /**
   * Declares that derived rows are written. The commit fails if another program's derivations are current.
   */
  readonly declareDerived: () => void;
}

/** A task for many items of one kind. Returns their results in order. */
export type GroupTask<Item, Result> = (
  context: WriteContext,
  items: readonly Item[],
) => Promise<readonly Result[]>;

/** A queued write. `work` may run more than once, each time after a rollback. */
interface Job {
  /** The record that it changes. Empty if the record is new. */
  readonly record: string;
  readonly work: GroupTask<unknown, unknown>;
  readonly item: unknown;
  /** Time of arrival, in milliseconds of this process's clock. */
  readonly arrivedAtMs: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Writes per commit. */
const maxJobs = 32;

/** Attempts of a write that a conflict rolled back. */
const maxAttempts = 5;

/** PostgreSQL's codes of transactions that were rolled back because of another. */
const conflictCodes = new Set(['40001', '40P01']);

/**
 * Commits concurrent writes in one transaction with their audit entries. The chain is sequential anyway, and
 * each commit waits for the disk. A write resolves after the commit.
 *
 * If one fails, all are rolled back and each runs in its own transaction, so that only the faulty one fails.
 * If the result of a commit is unknown, none runs again.
 *
 * Invariant: writers lock records in the order of type and id, then counters, then the chain. This prevents
 * deadlocks.
 */
export class Writes {
  private readonly database: Postgres;
  private readonly chain: Chain;
  private pendingJobs: Job[] = [];
  private running: Promise<void> | undefined;

  constructor(database: Postgres, chain: Chain) {
    this.database = database;
    this.chain = chain;
  }

  /** Resolves with the result of the work after its commit. Rejects if the work or the commit fails. */
  add<Result>(work: (context: WriteContext) => Promise<Result>): Promise<Result> {
    return this.addTo(async (context) => [await work(context)], undefined);
  }

  /** Adds work that runs together with other work of its kind, each for another record. */
  addTo<Item, Result>(work: GroupTask<Item, Result>, item: Item, record?: NamedResource): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.pendingJobs.push({
        record: record ? `${record.type} ${record.id}` : '',
        work: work as GroupTask<unknown, unknown>,
        item,
        arrivedAtMs: performance.now(),
        resolve: (result) => resolve(result as Result),
        reject,
      });
      this.running ??= this.run();
    });
  }

  /** Commits work on many records in a separate transaction. It locks the records in their order. */
  async addSeparately<Result>(work: (context: RowWriteContext) => Promise<Result>): Promise<Result> {
    return retryConflicts(() =>
      this.database.transaction(async (session) => {
        const findingEndCounter = new FindingEndCounter();
        const result = await work({ session, findingEndCounter });
        await findingEndCounter.write(session);
        return result;
      }),
    );
  }

  /** Resolves when no write is pending. */
  async whenIdle(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    // Writes of the same turn share the commit.
    await Promise.resolve();
    while (this.pendingJobs.length > 0) {
      const jobs = this.pendingJobs.splice(0, maxJobs);
      try {
        await this.commit(jobs);
      } catch (error) {
        if (isFinal(error, jobs)) for (const job of jobs) job.reject(error);
        else for (const job of jobs) await this.runSeparately(job, error);
      }
    }
    this.running = undefined;
  }

  /** Runs a job of a failed group in its own transaction, unless it has waited too long. */
  private async runSeparately(job: Job, error: unknown): Promise<void> {
    if (performance.now() - job.arrivedAtMs < timeoutMs.lock)
      await retryConflicts(() => this.commit([job])).catch(job.reject);
    else job.reject(new StoreBusyError('The database took too long.', codeOf(causeOf(error)), error));
  }

  private async commit(jobs: readonly Job[]): Promise<void> {
    // Acquired before the transaction, because the chain uses its own connection.
    await this.chain.node();
    const sortedJobs = [...jobs].sort(
      ({ record: leftRecord }, { record: rightRecord }) =>
        Number(leftRecord > rightRecord) - Number(leftRecord < rightRecord),
    );
    const results = await this.database.transaction(async (session) => {
      const findingEndCounter = new FindingEndCounter();
      const entries: NewAuditEntry[] = [];
      let hasDerived = false;
      const context: WriteContext = {
        session,
        findingEndCounter,
        note: (entry) => entries.push(entry),
        declareDerived: () => (hasDerived = true),
      };
      const resultsByJob = new Map<Job, unknown>();
      for (const group of groupsOf(sortedJobs)) {
        const [{ work }] = group;
        const items = group.map(({ item }) => item);
        const results = await work(context, items);
        for (const [index, job] of group.entries()) resultsByJob.set(job, results[index]);
      }
      await findingEndCounter.write(session);
      await this.chain.add(session, entries, hasDerived);
      return resultsByJob;
    });
    this.chain.committed();
    for (const job of jobs) job.resolve(results.get(job));
  }
}

/** Groups adjacent jobs of one kind, at most one for each record. */
function groupsOf(jobs: readonly Job[]): readonly (readonly [Job, ...Job[]])[] {
  const groups: [Job, ...Job[]][] = [];
  for (const job of jobs) {
    const lastGroup = groups.at(-1);
    const [{ work }] = lastGroup ?? [job];
    const isOtherRecord = job.record === '' || lastGroup?.at(-1)?.record !== job.record;
    if (lastGroup && work === job.work && isOtherRecord) lastGroup.push(job);
    else groups.push([job]);
  }
  return groups;
}

/** A write that may be stored is not repeated, nor a job that failed by itself. */
function isFinal(error: unknown, { length }: readonly Job[]): boolean {
  return error instanceof StoreUnconfirmedError || (length === 1 && !isConflict(error));
}

function isConflict(error: unknown): boolean {
  return conflictCodes.has(codeOf(causeOf(error)));
}

/** Repeats work that a conflict rolled back. */
async function retryConflicts<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attemptsLeft = maxAttempts; ; attemptsLeft -= 1) {
    try {
      return await work();
    } catch (error) {
      if (attemptsLeft === 1 || !isConflict(error)) throw error;
    }
  }
}
