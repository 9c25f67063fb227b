/** FHIR packages that servers of one store share, as archives. Called by package-mirror.ts. */
import type { NewArchive } from '../packages/packages.ts';

interface StoredArchive extends NewArchive {
  /** SHA-256 of the archive, in hex. */
  readonly sha256: string;
}

export interface SharedArchives {
  /** Returns the SHA-256 of each archive, in hex, by file. */
  list(): Promise<ReadonlyMap<string, string>>;
  /** Yields the bytes of an archive in order. Another server may have replaced it in the meantime. */
  read(file: string): AsyncIterable<Uint8Array>;
  /**
   * Adds an archive atomically and notifies the other servers. Returns false if its file, or its name and
   * version, exist.
   */
  add(archive: StoredArchive, pieces: AsyncIterable<Buffer>): Promise<boolean>;
  /** Removes an archive and notifies the other servers. */
  remove(file: string): Promise<void>;
  /** Calls the listener if archives may have changed. */
  onChange(listener: () => void): void;
}
