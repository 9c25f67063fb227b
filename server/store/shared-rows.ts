/**
 * What servers of one store share beside the records: rows of the workspace, and codes to sign in with. Called by
 * server/workspace and the start of a server over a shared store.
 */

/** A row of a table by its name and its key; no body where it is gone. */
export interface SharedRow {
  readonly name: string;
  readonly key: string;
  readonly body: string | null;
}

/** A row as a server writes it. */
export interface RowChange extends SharedRow {
  /** Up to which stamp the writer knew the row that it changed; undefined where it begins the row. */
  readonly known: number | undefined;
}

/** A row that was written, and the stamp that it has now. */
export interface StampedRow extends Pick<SharedRow, 'name' | 'key'> {
  readonly stamp: number;
}

export interface SharedRows {
  /**
   * Rows that were written behind a stamp, in the order of their writing, and the stamp of the last of them; without a
   * stamp all that are there.
   */
  since(stamp: number | undefined): Promise<{ readonly rows: readonly SharedRow[]; readonly stamp: number }>;
  /**
   * Writes rows, all or none, and has the other servers read them. Where another server wrote one of them since the
   * writer knew it, or began one that is begun here, none is written and the answer is `taken`.
   */
  write(rows: readonly RowChange[]): Promise<readonly StampedRow[] | 'taken'>;
  /** Calls back where there may be rows to read. */
  onChange(told: () => void): void;
}

/** A code by its SHA-256, and what it gives, as JSON. */
export interface SharedCode {
  readonly sha256: string;
  readonly granted: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** A sign-in at a provider that is under way. */
export interface SharedSignIn {
  readonly key: string;
  /** What is needed to end it, as JSON. */
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly begun: number;
  /** Stands for the network that it was begun from. */
  readonly network: string;
}

export interface SharedSignIns {
  /** Keeps one, and `most` of those that were begun after a time: of each network its newest before the older ones of any. */
  add(one: SharedSignIn, kept: { readonly most: number; readonly after: number }): Promise<void>;
  /** Takes one, this once, whichever server is asked. */
  take(key: string): Promise<string | undefined>;
}

export interface SharedCodes {
  add(code: SharedCode): Promise<void>;
  /** Takes a code, this once, whichever server is asked; says `used` where it was taken. */
  take(sha256: string): Promise<SharedCode | 'used' | undefined>;
}
