import { until } from './wait.ts';

/** A version by its record's address and its number, such as `CarePlan/0b1c.../_history/3`. */
export type VersionKey = string;

/** A version as a store holds it. */
export interface Held {
  readonly key: VersionKey;
  readonly text: string;
}

/** What is wrong with a store; empty lists where nothing is. */
export interface Differences {
  /** Acknowledged and not there. */
  readonly lost: readonly VersionKey[];
  /** Acknowledged and there with another text. */
  readonly changed: readonly VersionKey[];
  /** Refused and there. */
  readonly refused: readonly VersionKey[];
  /** There and never sent. */
  readonly strange: readonly VersionKey[];
}

/** When a write was sent and when it was answered, on the ledger's own clock. */
export interface Times {
  readonly sent: number;
  readonly answered: number;
}

/** The mark of a text: each write carries one of its own in its title. */
export function markOf(text: string): string {
  return /"Mark (\d+)"/.exec(text)?.[1] ?? '';
}

/**
 * What clients sent, and what became of it: which versions a store must hold, may hold and must not hold. A write that
 * was sent and not answered may be there or not; whichever it was after a restart, it stays.
 */
export class Ledger {
  /** Texts of the versions that were acknowledged. */
  readonly acknowledged = new Map<VersionKey, string>();
  /** Marks of writes that were sent and not answered. */
  readonly open = new Set<string>();
  /** Marks of writes that were refused, or that were not there after a restart. */
  readonly refused = new Set<string>();
  /** How many refusals were no OperationOutcome. */
  untold = 0;
  /** How many writes had each status. */
  readonly statuses = new Map<number, number>();
  /** Addresses of all records, in the order in which they were made. */
  readonly addresses: string[] = [];
  /** When the versions were written that were acknowledged. */
  readonly times = new Map<VersionKey, Times>();
  private readonly versions = new Map<string, number>();
  private readonly sent = new Map<string, number>();
  private marks = 0;
  private ticks = 0;

  /** A moment: later ones are greater. */
  tick(): number {
    this.ticks += 1;
    return this.ticks;
  }

  /** The title of a write that is about to be sent. */
  nextTitle(): string {
    this.marks += 1;
    this.sent.set(String(this.marks), this.tick());
    this.open.add(String(this.marks));
    return `Mark ${this.marks}`;
  }

  /** The number of a record's newest version that is known. */
  versionOf(address: string): number {
    return this.versions.get(address) ?? 0;
  }

  acknowledge(title: string, { key, text }: Held): void {
    const mark = title.slice('Mark '.length);
    this.open.delete(mark);
    this.times.set(key, { sent: this.sent.get(mark) ?? 0, answered: this.tick() });
    this.keep({ key, text });
  }

  /** Takes what a store holds as acknowledged, such as what a restore put back. */
  adopt(held: Iterable<Held>): void {
    for (const version of held) this.keep(version);
  }

  /** `told` says whether the answer was an OperationOutcome. */
  refuse(title: string, told: boolean): void {
    const mark = title.slice('Mark '.length);
    this.open.delete(mark);
    this.refused.add(mark);
    if (!told) this.untold += 1;
  }

  count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  /** How many writes were answered with a status of 500 or more. */
  get failures(): number {
    return [...this.statuses].reduce((sum, [status, count]) => (status >= 500 ? sum + count : sum), 0);
  }

  /** Resolves once so many versions are acknowledged; a FaultError says where they do not come. */
  reached(count: number): Promise<void> {
    return until(`${count} acknowledged writes`, () => this.acknowledged.size >= count);
  }

  /**
   * Compares with everything that a store holds, and settles what was open. To be called while no write is under way.
   */
  compare(held: Iterable<Held>): Differences {
    const found = new Map<VersionKey, string>();
    for (const { key, text } of held) found.set(key, text);
    const acknowledged = [...this.acknowledged.keys()];
    const unknown = [...found].filter(([key]) => !this.acknowledged.has(key));
    const differences = {
      lost: acknowledged.filter((key) => !found.has(key)),
      changed: acknowledged.filter((key) => found.has(key) && found.get(key) !== this.acknowledged.get(key)),
      refused: unknown.filter(([, text]) => this.refused.has(markOf(text))).map(([key]) => key),
      strange: unknown
        .filter(([, text]) => !this.refused.has(markOf(text)) && !this.open.delete(markOf(text)))
        .map(([key]) => key),
    };
    for (const [key, text] of unknown) this.keep({ key, text });
    for (const mark of this.open) this.refused.add(mark);
    this.open.clear();
    return differences;
  }

  private keep({ key, text }: Held): void {
    this.acknowledged.set(key, text);
    const [address = '', version] = key.split('/_history/');
    if (!this.versions.has(address)) this.addresses.push(address);
    this.versions.set(address, Math.max(this.versionOf(address), Number(version)));
  }
}
