/** FHIR packages that servers of one store share, as archives. Called by server/packages. */

export interface NewArchive {
  readonly file: string;
  /** Of the package. */
  readonly name: string;
  readonly version: string;
  /** Of its bytes, in hex. */
  readonly sha256: string;
}

export interface SharedArchives {
  /** The SHA-256 of each that is there, in hex, by its file. */
  list(): Promise<ReadonlyMap<string, string>>;
  /** The bytes of one in their order; those that are there, which may be another's by now. */
  read(file: string): AsyncIterable<Uint8Array>;
  /**
   * Adds one, whole or not at all, and tells the other servers; false where there is one of its file, or of its name and
   * version.
   */
  add(archive: NewArchive, pieces: AsyncIterable<Buffer>): Promise<boolean>;
  /** Removes one, and tells the other servers. */
  remove(file: string): Promise<void>;
  /** Calls back where there may be others. */
  onChange(told: () => void): void;
}
