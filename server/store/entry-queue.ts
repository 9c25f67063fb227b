/** Milliseconds that an entry may wait for its write; those of changes wait for nothing. */
const delay = 250;

/** Milliseconds until the next try where the entries could not be written. */
const pause = 2000;

/** Entries that are held where they cannot be written, a disk being full; the oldest are dropped first. */
const mostHeld = 20_000;

/** Gathers entries, so that no answer waits for the disk, and hands them to `write` together. */
export class EntryQueue<Entry> {
  private readonly write: (entries: readonly Entry[]) => Promise<void>;
  private held: Entry[] = [];
  private timer: NodeJS.Timeout | undefined;
  private written: Promise<unknown> = Promise.resolve();

  constructor(write: (entries: readonly Entry[]) => Promise<void>) {
    this.write = write;
  }

  note(entry: Entry): void {
    this.held.push(entry);
    this.timer ??= this.later(delay);
  }

  /** Hands over what was noted; resolves once that and what was handed over before is written, or is held again. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const entries = this.held;
    this.held = [];
    if (entries.length > 0) this.written = Promise.all([this.written, this.handOver(entries)]);
    await this.written;
  }

  private async handOver(entries: readonly Entry[]): Promise<void> {
    try {
      await this.write(entries);
    } catch {
      // A full disk must not end the server over reads: they are tried again, with what came since.
      this.held = [...entries, ...this.held].slice(-mostHeld);
      clearTimeout(this.timer);
      this.timer = this.later(pause);
    }
  }

  private later(ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.flush(), ms).unref();
  }
}
