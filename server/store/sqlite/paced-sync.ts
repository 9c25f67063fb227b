/**
 * Has a large file synced beside the writing of it, piece by piece: all of it at the end would stop everyone for as long
 * as the disk takes. Nothing is written while the disk has the piece before.
 */
export class PacedSync {
  private readonly sync: () => Promise<void>;
  private written = 0;
  private syncing: Promise<void> | undefined;
  private fault: unknown;

  /** `sync` resolves once what was written is on the disk. */
  constructor(sync: () => Promise<void>) {
    this.sync = sync;
  }

  /**
   * Pages that may be written next; 0 while the disk has the piece before.
   *
   * @throws what `sync` was rejected with.
   */
  next(): number {
    this.check();
    if (this.syncing) return 0;
    this.written += slice;
    if (this.written >= piece) this.begin();
    return slice;
  }

  /** Resolves once no sync is under way; rejects as `sync` did. */
  async ended(): Promise<void> {
    await this.syncing;
    this.check();
  }

  private begin(): void {
    this.written = 0;
    this.syncing = this.sync()
      .catch((error: unknown) => {
        this.fault = error;
      })
      .finally(() => {
        this.syncing = undefined;
      });
  }

  private check(): void {
    // What the disk answered is passed on as it is.
    // oxlint-disable-next-line typescript/only-throw-error
    if (this.fault !== undefined) throw this.fault;
  }
}

/** Pages that are written in one turn of the event loop, and those that are synced at once: 2 MiB, as other syncs wait. */
export const slice = 100;
export const piece = 512;
