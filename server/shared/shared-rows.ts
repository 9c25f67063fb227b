/**
 * Data besides records that servers of one store share: rows of the workspace, and sign-in codes. Called by
 * server/workspace and at the start of a server over a shared store.
 */

/** A row of a list, by name and key. The body is null if the row was deleted. */
export interface SharedRow {
  readonly name: string;
  readonly key: string;
  readonly body: string | null;
}

export interface RowChange extends SharedRow {
  /** Stamp of the row that the writer has changed. Undefined for a new row. */
  readonly knownStamp: number | undefined;
}

export interface StampedRow extends Pick<SharedRow, 'name' | 'key'> {
  readonly stamp: number;
}

export interface SharedRows {
  /**
   * Returns the rows after a stamp in the order of writing, with the last stamp. Without a stamp, returns all
   * rows.
   */
  since(stamp: number | undefined): Promise<{ readonly rows: readonly SharedRow[]; readonly stamp: number }>;
  /**
   * Writes all rows or none, and notifies the other servers. Returns `taken` if another server has changed
   * one of them since the writer read it.
   */
  write(rows: readonly RowChange[]): Promise<readonly StampedRow[] | 'taken'>;
  /** Calls the listener if rows may have changed. */
  onChange(listener: () => void): void;
}

/** A code by its SHA-256, with its grant as JSON. */
export interface SharedCode {
  readonly sha256: string;
  readonly granted: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** A pending sign-in at a provider. */
export interface SharedSignIn {
  readonly key: string;
  /** Data for completing the sign-in, as JSON. */
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** Hash of the network that started it. */
  readonly network: string;
}

export interface SharedSignIns {
  /**
   * Adds a sign-in. Retains up to `most` of those started after `after`: the latest of each network before
   * older ones.
   */
  add(
    signIn: SharedSignIn,
    limits: { readonly maxCount: number; readonly expiredBefore: number },
  ): Promise<void>;
  /** Removes and returns a sign-in. It succeeds at one server only. */
  take(key: string): Promise<string | undefined>;
}

export interface SharedCodes {
  add(code: SharedCode): Promise<void>;
  /** Consumes a code. It succeeds at one server only; later calls return `used`. */
  take(sha256: string): Promise<SharedCode | 'used' | undefined>;
}
