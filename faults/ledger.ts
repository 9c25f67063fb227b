import { waitUntil } from './wait.ts';

/** A version, named by the address of its record and its number, such as `CarePlan/0b1c.../_history/3`. */
export type VersionKey = string;

/** A version as a store has it. */
export interface StoredVersion {
  readonly key: VersionKey;
  readonly text: string;
}

/** Differences between a store and a ledger. All lists are empty if both agree. */
export interface Differences {
  /** Acknowledged but missing. */
  readonly lostKeys: readonly VersionKey[];
  /** Acknowledged but stored with another text. */
  readonly changedKeys: readonly VersionKey[];
  /** Refused but stored. */
  readonly refused: readonly VersionKey[];
  /** Stored but never sent. */
  readonly strange: readonly VersionKey[];
}

/** When a write was sent and answered, by the clock of the ledger. */
export interface Times {
  readonly sendTime: number;
  readonly answerTime: number;
}

/** Returns the mark of a text. Each write has a unique mark in its title. */
export function readMark(text: string): string {
  return /"Mark (\d+)"/.exec(text)?.[1] ?? '';
}

/**
 * Records the writes of clients and their outcomes: which versions a store must have, may have and must not
 * have. An unanswered write may be stored or not, but its state after a restart is final.
 */
export class Ledger {
  /** Texts of the acknowledged versions. */
  readonly acknowledged = new Map<VersionKey, string>();
  /** Marks of unanswered writes. */
  readonly open = new Set<string>();
  /** Marks of writes that were refused, or that were missing after a restart. */
  readonly refusedMarks = new Set<string>();
  /** Number of refusals without an OperationOutcome. */
  withoutOutcome = 0;
  /** Number of writes by status. */
  readonly statuses = new Map<number, number>();
  /** Addresses of all records, in the order of their creation. */
  readonly addresses: string[] = [];
  /** Times of the acknowledged versions. */
  readonly times = new Map<VersionKey, Times>();
  private readonly versions = new Map<string, number>();
  private readonly sendTime = new Map<string, number>();
  private marks = 0;
  private ticks = 0;

  /** Returns the next value of the logical clock. */
  nextTick(): number {
    this.ticks += 1;
    return this.ticks;
  }

  /** Returns the title of a write that is about to be sent. */
  nextTitle(): string {
    this.marks += 1;
    this.sendTime.set(String(this.marks), this.nextTick());
    this.open.add(String(this.marks));
    return `Mark ${this.marks}`;
  }

  /** Returns the latest known version number of a record, or 0. */
  getVersion(address: string): number {
    return this.versions.get(address) ?? 0;
  }

  acknowledge(title: string, { key, text }: StoredVersion): void {
    const mark = title.slice('Mark '.length);
    this.open.delete(mark);
    this.times.set(key, { sendTime: this.sendTime.get(mark) ?? 0, answerTime: this.nextTick() });
    this.add({ key, text });
  }

  /** Counts the versions of a store as acknowledged, such as the versions of a restore. */
  adopt(versions: Iterable<StoredVersion>): void {
    for (const version of versions) this.add(version);
  }

  /** Records a refusal. `told` is true if the response was an OperationOutcome. */
  refuse(title: string, hasOutcome: boolean): void {
    const mark = title.slice('Mark '.length);
    this.open.delete(mark);
    this.refusedMarks.add(mark);
    if (!hasOutcome) this.withoutOutcome += 1;
  }

  count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  /** Returns the number of writes that got a status of 500 or more. */
  get failures(): number {
    return [...this.statuses].reduce((sum, [status, count]) => (status >= 500 ? sum + count : sum), 0);
  }

  /** Resolves at a number of acknowledged versions. Rejects with a FaultError if they do not come in time. */
  waitFor(count: number): Promise<void> {
    return waitUntil(`${count} acknowledged writes`, () => this.acknowledged.size >= count);
  }

  /**
   * Compares the ledger with all versions of a store, and closes the unanswered writes. No write may be
   * pending.
   */
  compare(versions: Iterable<StoredVersion>): Differences {
    const storedTexts = new Map<VersionKey, string>();
    for (const { key, text } of versions) storedTexts.set(key, text);
    const acknowledged = [...this.acknowledged.keys()];
    const unknown = [...storedTexts].filter(([key]) => !this.acknowledged.has(key));
    const differences = {
      lostKeys: acknowledged.filter((key) => !storedTexts.has(key)),
      changedKeys: acknowledged.filter(
        (key) => storedTexts.has(key) && storedTexts.get(key) !== this.acknowledged.get(key),
      ),
      refused: unknown.filter(([, text]) => this.refusedMarks.has(readMark(text))).map(([key]) => key),
      strange: unknown
        .filter(([, text]) => !this.refusedMarks.has(readMark(text)) && !this.open.delete(readMark(text)))
        .map(([key]) => key),
    };
    for (const [key, text] of unknown) this.add({ key, text });
    for (const mark of this.open) this.refusedMarks.add(mark);
    this.open.clear();
    return differences;
  }

  private add({ key, text }: StoredVersion): void {
    this.acknowledged.set(key, text);
    const [address = '', version] = key.split('/_history/');
    if (!this.versions.has(address)) this.addresses.push(address);
    this.versions.set(address, Math.max(this.getVersion(address), Number(version)));
  }
}
