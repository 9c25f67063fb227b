/** Leases for work that only one of several servers does. */

export interface Lease {
  /**
   * Returns true if this server may do the work. Call it before each batch: a lease expires some time after
   * the last call.
   */
  hold(): Promise<boolean>;
  /** Releases the work for any server. */
  release(): Promise<void>;
}

export interface Leases {
  /** True if other servers may have left unfinished work. */
  readonly shared: boolean;
  /** Returns the lease of named work, for some seconds after each call, or the default. */
  getLease(name: string, seconds?: number): Lease;
}

/** Leases of a store with a single server. */
export const createLocalLeases: Leases = {
  shared: false,
  getLease: () => ({ hold: () => Promise.resolve(true), release: () => Promise.resolve() }),
};
