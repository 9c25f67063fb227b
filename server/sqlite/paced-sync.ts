/**
 * Syncs a large file chunk by chunk while it is written. One sync at the end would block all other syncs for its full
 * duration. No page is written during a sync.
 */
export class PacedSync {
  private readonly sync: () => Promise<void>;
  private pagesSinceSync = 0;
  private syncing: Promise<void> | undefined;
  private fault: unknown;

  /** @param sync - Resolves once the written pages are on the disk. */
  constructor(sync: () => Promise<void>) {
    this.sync = sync;
  }

  /**
   * Returns the number of pages that may be written next. 0 during a sync.
   *
   * @throws the error of `sync`.
   */
  next(): number {
    this.check();
    if (this.syncing) return 0;
    this.pagesSinceSync += slice;
    if (this.pagesSinceSync >= piece) this.begin();
    return slice;
  }

  /** Resolves once no sync is in progress. Rejects as `sync` does. */
  async finish(): Promise<void> {
    await this.syncing;
    this.check();
  }

  private begin(): void {
    this.pagesSinceSync = 0;
    this.syncing = this.sync()
      .catch((error: unknown) => {
        this.fault = error;
      })
      .finally(() => {
        this.syncing = undefined;
      });
  }

  private check(): void {
    // oxlint-disable-next-line typescript/only-throw-error -- The error of the disk is thrown unchanged.
    if (this.fault !== undefined) throw this.fault;
  }
}

/** Pages written per turn of the event loop, and pages per sync: 2 MiB, because other syncs wait. */
export const slice = 100;
export const piece = 512;
