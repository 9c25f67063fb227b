import type { SealKey } from '../../store/audit-chain.ts';
import type { Destination, End } from './table-mover.ts';
import type { KnownMove, MoveState } from './state.ts';
import type { RowKey } from './kind.ts';

/** State of a source's audit log. */
export interface SourceAuditLog {
  /** Ends of its chains (audit-chains.ts). */
  readonly chainEnds: string;
  /** Message if the log was changed. */
  readonly problem?: string;
}

/** The store that is moved. Nobody writes to it during the move. */
export interface Source extends End {
  /** Name for people and for the audit log, without a password. */
  readonly name: string;
  /** Returns the latest seal of each chain. */
  listLatestSeals(): Promise<readonly Buffer[]>;
  readAuditState(key: SealKey | undefined): Promise<SourceAuditLog>;
  /** Counts the versions and audit entries after the last moved ones. */
  countAfter(lastVersion: RowKey | undefined, lastEntry: RowKey | undefined): Promise<number>;
  /** Returns messages about data that is not moved. */
  describeUnmoved(): readonly string[];
}

/** Reports the progress of derived rows. */
export type OnProgress = (done: number, records: number) => void;

export interface MoveDestination extends Destination {
  readonly name: string;
  /** Returns the move that has started or finished here. */
  readKnownMove(): Promise<KnownMove | undefined>;
  /** @throws Error with a message if the destination is not empty. */
  begin(state: MoveState): Promise<void>;
  /** Resumes the known move. */
  resume(state: MoveState): Promise<void>;
  readonly state: MoveState;
  /** Stores the state after the comparison. */
  save(state: MoveState): Promise<void>;
  /** Derives index rows and findings from the texts. */
  derive(onProgress: OnProgress): Promise<void>;
  /** Appends the move to the audit log and allows servers to start. */
  end(key: SealKey | undefined): Promise<void>;
}
