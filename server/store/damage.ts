import type { VersionName } from './checksum.ts';

/** What reading texts against their checksums came to. */
export interface Looked {
  /** The last version looked at; those behind it are next. */
  readonly place: number;
  readonly read: number;
  readonly found: number;
  /** Whether none was left. */
  readonly ended: boolean;
}

/** What became of a version whose text failed: damaged still and current, damaged still, or undefined for neither. */
export type DamageOf = 'current' | 'older' | undefined;

/** Which stored texts are not those that were written. */
export interface DamageStore {
  /** The place of the newest version; 0 where there is none. */
  lastPlace(): Promise<number>;
  /**
   * Reads the texts behind a place, one at least, until so many milliseconds are over, or a piece of them where others read;
   * tells the listener of those that fail.
   */
  look(place: number, milliseconds: number): Promise<Looked>;
  /** What became of versions whose texts failed. */
  statesOf(names: readonly VersionName[]): Promise<readonly DamageOf[]>;
  /** Calls with each text that fails, whoever reads it, each time. */
  onNoticed(listener: (name: VersionName) => void): void;
  /** Does work that one server does at a time: not at all where another does it now. */
  alone(work: () => Promise<void>): Promise<void>;
}

/** Where the texts lie in a file, whose backups hold them too. */
export interface MendableDamage extends DamageStore {
  /** Puts a version's text back where it is the one that was written, by its SHA-256; answers whether it is. */
  putBack(name: VersionName, text: string): Promise<boolean>;
}

/** A text that was read, and whether it is the one that was written. */
export type ReadText = readonly [place: number, name: VersionName, sound: boolean];

/** Goes through texts, one at least, until so many milliseconds are over. */
export function lookThrough(
  texts: Iterable<ReadText>,
  after: number,
  milliseconds: number,
  noticed: (name: VersionName) => void,
): Looked {
  const end = performance.now() + milliseconds;
  let [place, read, found] = [after, 0, 0];
  for (const [at, name, sound] of texts) {
    place = at;
    read += 1;
    if (!sound) {
      found += 1;
      noticed(name);
    }
    if (performance.now() > end) return { place, read, found, ended: false };
  }
  return { place, read, found, ended: true };
}
