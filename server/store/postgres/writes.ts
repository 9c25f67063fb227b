import type { NamedResource } from '../../../core/fhir/companion.ts';
import type { NewAuditEntry } from '../audit-rows.ts';
import type { Chain } from './chain.ts';
import type { Postgres, Session } from './connection.ts';
import { causeOf } from './faults.ts';
import { FindingEnds } from './finding-ends.ts';
import { patience } from './pools.ts';
import { codeOf, StoreBusyError, StoreUnsureError } from '../store-error.ts';

/** What rows that describe records are written with. */
export interface Mending {
  readonly session: Session;
  readonly ends: FindingEnds;
}

/** What a piece of work writes with. */
export interface Writing extends Mending {
  /** Takes an entry of the audit trail, which is committed with the work. */
  readonly note: (entry: NewAuditEntry) => void;
  /** Says that what is derived of a record is written, which is refused where another program's holds. */
  readonly derives: () => void;
}

/** Work of one kind that is done together: answers what each comes to, in their order. */
export type Together<Item, Result> = (writing: Writing, items: readonly Item[]) => Promise<readonly Result[]>;

/** `work` may run more than once: what it did before is then undone. */
interface Job {
  /** The record that it changes; empty where there is none yet. */
  readonly record: string;
  readonly work: Together<unknown, unknown>;
  readonly item: unknown;
  /** When it came, by this process's own count in milliseconds. */
  readonly came: number;
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
 * fails, all are undone and each is tried alone, so that it fails alone; where it is not known whether the commit went through,
 * none is. Invariant: whoever writes locks records in the order
 * of their types and ids, then what is counted, then its chain: no two wait for each other.
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
    return this.addTo(async (writing) => [await work(writing)], undefined);
  }

  /** The same of work that is done together with others of its kind, each of another record. */
  addTo<Item, Result>(work: Together<Item, Result>, item: Item, record?: NamedResource): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({
        record: record ? `${record.type} ${record.id}` : '',
        work: work as Together<unknown, unknown>,
        ...{ item, came: performance.now(), resolve: (result) => resolve(result as Result), reject },
      });
      this.running ??= this.run();
    });
  }

  /** Commits work of many records by itself, beside what others wait for; it takes their locks in their order. */
  async aside<Result>(work: (mending: Mending) => Promise<Result>): Promise<Result> {
    return again(() =>
      this.database.transaction(async (session) => {
        const ends = new FindingEnds();
        const result = await work({ session, ends });
        await ends.write(session);
        return result;
      }),
    );
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
        if (isLeftAsIs(error, jobs)) for (const job of jobs) job.reject(error);
        else for (const job of jobs) await this.alone(job, error);
      }
    }
    this.running = undefined;
  }

  /** Tries one of several that failed together, where it has not waited too long. */
  private async alone(job: Job, error: unknown): Promise<void> {
    if (performance.now() - job.came < patience.lock) await again(() => this.commit([job])).catch(job.reject);
    else
      job.reject(new StoreBusyError('The database did not take it in time.', codeOf(causeOf(error)), error));
  }

  private async commit(jobs: readonly Job[]): Promise<void> {
    // Taken before the transaction: it has a connection of its own.
    await this.chain.node();
    const inOrder = [...jobs].sort(
      ({ record: one }, { record: other }) => Number(one > other) - Number(one < other),
    );
    const results = await this.database.transaction(async (session) => {
      const ends = new FindingEnds();
      const entries: NewAuditEntry[] = [];
      let derives = false;
      const writing: Writing = {
        ...{ session, ends },
        note: (entry) => entries.push(entry),
        derives: () => (derives = true),
      };
      const done = new Map<Job, unknown>();
      for (const group of groupsOf(inOrder)) {
        const [{ work }] = group;
        const items = group.map(({ item }) => item);
        const results = await work(writing, items);
        for (const [at, job] of group.entries()) done.set(job, results[at]);
      }
      await ends.write(session);
      await this.chain.add(session, entries, derives);
      return done;
    });
    this.chain.committed();
    for (const job of jobs) job.resolve(results.get(job));
  }
}

/** Neighbours of one kind, no two of one record. */
function groupsOf(jobs: readonly Job[]): readonly (readonly [Job, ...Job[]])[] {
  const groups: [Job, ...Job[]][] = [];
  for (const job of jobs) {
    const last = groups.at(-1);
    const [{ work }] = last ?? [job];
    const isOther = job.record === '' || last?.at(-1)?.record !== job.record;
    if (last && work === job.work && isOther) last.push(job);
    else groups.push([job]);
  }
  return groups;
}

/** What may be stored is not tried again: it would be there twice. Nor is what failed alone, but for another's sake. */
function isLeftAsIs(error: unknown, { length }: readonly Job[]): boolean {
  return error instanceof StoreUnsureError || (length === 1 && !isUndone(error));
}

function isUndone(error: unknown): boolean {
  return undone.has(codeOf(causeOf(error)));
}

/** Tries what another transaction undid. */
async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let left = tries; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (left === 1 || !isUndone(error)) throw error;
    }
  }
}
