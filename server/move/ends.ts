import type { SealKey } from '../store/audit-chain.ts';
import type { Destination, End } from './copyable.ts';
import type { KnownMove, MoveState } from './state.ts';
import type { Place } from './kind.ts';

/** What the trail of a source is, and is worth. */
export interface SourceTrail {
  /** Where its chains end (audit-chains.ts). */
  readonly ends: string;
  /** A sentence where it is not as it was written. */
  readonly broken?: string;
}

/** The store that is moved; nobody writes to it meanwhile. */
export interface Source extends End {
  /** For a person, and the trail: without a password. */
  readonly name: string;
  /** The newest seal of each chain. */
  seals(): Promise<readonly Buffer[]>;
  trail(key: SealKey | undefined): Promise<SourceTrail>;
  /** How many versions and audit entries stand behind these places. */
  left(version: Place | undefined, entry: Place | undefined): Promise<number>;
  /** Sentences about what it has and no shared store takes. */
  staysBehind(): readonly string[];
}

/** How far the making of what the texts tell has come. */
export type Made = (done: number, records: number) => void;

export interface MoveDestination extends Destination {
  readonly name: string;
  /** The move that has begun here, or has ended. */
  known(): Promise<KnownMove | undefined>;
  /** @throws Error with a sentence where something else is there already. */
  begin(state: MoveState): Promise<void>;
  /** Goes on with the one that is known. */
  goOn(state: MoveState): Promise<void>;
  /** How far it is. */
  readonly state: MoveState;
  /** Notes that nothing differs. */
  save(state: MoveState): Promise<void>;
  /** Makes what the texts tell: what records are found by, and what is wrong with them. */
  derive(made: Made): Promise<void>;
  /** Says in the trail what was moved, and lets servers in. */
  end(key: SealKey | undefined): Promise<void>;
}
