/** Who of several servers of one store does what has to be done once. */

export interface Lease {
  /** Whether the work is this server's now; to be asked before each piece of it, as it is another's some time behind the last call. */
  hold(): Promise<boolean>;
  /** Leaves the work to whoever asks next. */
  release(): Promise<void>;
}

export interface Leases {
  /** Whether other servers may have left work undone. */
  readonly shared: boolean;
  /** The lease of a work by its name, for so many seconds from each call on; the usual ones where absent. */
  of(name: string, seconds?: number): Lease;
}

/** Of a store that one server has by itself. */
export const ownLeases: Leases = {
  shared: false,
  of: () => ({ hold: () => Promise.resolve(true), release: () => Promise.resolve() }),
};
