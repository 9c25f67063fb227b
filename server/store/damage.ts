import type { VersionName } from './checksum.ts';

/** Result of one checksum pass. */
export interface Looked {
  /** Last verified version. The next pass starts after it. */
  readonly place: number;
  readonly readCount: number;
  readonly damagedCount: number;
  /** True if no version is left. */
  readonly isFinished: boolean;
}

/** State of a version that failed: damaged and current, damaged and older, or undefined. */
export type DamageOf = 'current' | 'older' | undefined;

export interface DamageStore {
  /** Returns the position of the latest version, or 0. */
  lastPlace(): Promise<number>;
  /**
   * Verifies texts after a position, at least one, for some milliseconds or one batch. Reports damaged texts
   * to the listener.
   */
  look(place: number, milliseconds: number): Promise<Looked>;
  /** Returns the states of versions that failed. */
  statesOf(names: readonly VersionName[]): Promise<readonly DamageOf[]>;
  /** Sets the listener for every read of a damaged text. */
  onNoticed(listener: (name: VersionName) => void): void;
}

/** Damage of a store in a file. Its backups also have the texts. */
export interface MendableDamage extends DamageStore {
  /** Restores a version's text if its SHA-256 matches. Returns false otherwise. */
  putBack(name: VersionName, text: string): Promise<boolean>;
}

/** A text that was read. `sound` is true if its checksum matches. */
export type ReadText = readonly [place: number, name: VersionName, sound: boolean];

/** Verifies texts, at least one, until the time is over. */
export function verifyTexts(
  texts: Iterable<ReadText>,
  after: number,
  milliseconds: number,
  onDamaged: (name: VersionName) => void,
): Looked {
  const deadline = performance.now() + milliseconds;
  let [lastPosition, readCount, damagedCount] = [after, 0, 0];
  for (const [position, name, isIntactText] of texts) {
    lastPosition = position;
    readCount += 1;
    if (!isIntactText) {
      damagedCount += 1;
      onDamaged(name);
    }
    if (performance.now() > deadline)
      return { place: lastPosition, readCount, damagedCount, isFinished: false };
  }
  return { place: lastPosition, readCount, damagedCount, isFinished: true };
}
