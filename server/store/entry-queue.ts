/** Milliseconds that an entry may wait. Entries of changes do not wait. */
const delayMs = 250;

/** Milliseconds until the next attempt after a failed write. */
const retryDelayMs = 2000;

/** Longest queue while the disk is full. The oldest entries are dropped first. */
const maxQueued = 20_000;

/** Collects entries, so that no response waits for the disk, and writes them together. */
export class EntryQueue<Entry> {
  private readonly write: (entries: readonly Entry[]) => Promise<void>;
  private queuedEntries: Entry[] = [];
  private timer: NodeJS.Timeout | undefined;
  private pendingWrite: Promise<unknown> = Promise.resolve();

  constructor(write: (entries: readonly Entry[]) => Promise<void>) {
    this.write = write;
  }

  note(entry: Entry): void {
    this.queuedEntries.push(entry);
    this.timer ??= this.scheduleFlush(delayMs);
  }

  /** Writes the queued entries. Resolves when they and earlier ones are written or queued again. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const entries = this.queuedEntries;
    this.queuedEntries = [];
    if (entries.length > 0)
      this.pendingWrite = Promise.all([this.pendingWrite, this.writeOrRequeue(entries)]);
    await this.pendingWrite;
  }

  private async writeOrRequeue(entries: readonly Entry[]): Promise<void> {
    try {
      await this.write(entries);
    } catch {
      // A full disk must not end the server because of reads. The entries are queued again.
      this.queuedEntries = [...entries, ...this.queuedEntries].slice(-maxQueued);
      clearTimeout(this.timer);
      this.timer = this.scheduleFlush(retryDelayMs);
    }
  }

  private scheduleFlush(ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.flush(), ms).unref();
  }
}
