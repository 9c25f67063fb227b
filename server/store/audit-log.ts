/** The audit log of a store, for the service and the command line. */
import type {
  AuditActions,
  AuditEntry,
  AuditFilter,
  AuditPage,
  AuditVerification,
} from '../../core/app/audit.ts';
import type { NewAuditEntry } from './audit-chain.ts';

/** Head of the audit chain at some moment. A later log contains an entry with this number and seal. */
export interface ChainHead {
  readonly seq: number;
  readonly seal: Buffer;
  /** Primary key of the latest version. It grows with each write. */
  readonly version: number;
}

/** Acknowledged entries that are missing. */
export interface AuditLoss {
  /** Lower bound of missing writes. 0 if no missing entry is known to be a write. */
  readonly atLeast: number;
  /** Sentences for the user. */
  readonly cause: string;
}

/** Records actors and actions in the order of writing. Entries never change. */
export interface AuditReader {
  /** Queues an entry. The queue is written within 250 ms. */
  note(entry: NewAuditEntry): void;
  /** Returns entries before `before`, newest first, including queued ones. */
  page(filter: AuditFilter, before: number | undefined, limit: number): Promise<AuditPage>;
  /** Returns the number of matching entries per action. */
  actions(filter: AuditFilter): Promise<AuditActions>;
  /** Yields all entries in chunks, oldest first. */
  readEntries(): AsyncGenerator<readonly AuditEntry[]>;
  /** Verifies the seals of all entries. */
  verify(): Promise<AuditVerification>;
  /** Writes the queued entries. */
  flush(): Promise<void>;
}

/** An audit log of one chain. Its head can be stored elsewhere as an anchor. */
export interface AuditStore extends AuditReader {
  verify(anchor?: ChainHead): Promise<AuditVerification>;
  /** Returns the chain head on the disk, or undefined in an empty log. */
  head(): Promise<ChainHead | undefined>;
  /** Returns the loss since an anchor, or undefined without one. */
  lossSince(anchor: ChainHead): Promise<AuditLoss | undefined>;
}
