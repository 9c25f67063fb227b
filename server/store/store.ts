/**
 * Interface of a store: records, versions and index rows. Independent of the engines, which import it. Called by the
 * service and by the command line.
 *
 * Invariant: record, version, index and issue rows change in one transaction with the audit log, and only if
 * the caller knew the current version.
 */
import type { Authorship } from '../../core/app/authorship.ts';
import type { Erasure } from '../../core/app/erasures.ts';
import type { WriteOperation } from '../../core/app/history.ts';
import type { DerivedRows } from '../../core/derive/derive.ts';
import type { Origin } from '../../core/fhir/origin.ts';
import type { Facet } from '../../core/fhir/facet.ts';
import type { FindingMove, IssueRow } from '../../core/fhir/issue-row.ts';
import type { FhirError } from '../../core/fhir/outcome.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { Cursor, SearchCriteria } from '../../core/fhir/search-criteria.ts';
import type { AuditReader, AuditStore } from './audit-log.ts';
import type { ImportBatchStore, StoredLine } from './import-batches.ts';
import type { SourcedName, SupportingResourceStore } from './supporting-resources.ts';
import type { DocumentStore } from './documents.ts';
import type { DamageStore, MendableDamage } from './damage.ts';
import type { DerivedStore } from './derived.ts';
import type { Actor } from './actor.ts';
import type { FacetValues } from './facet-values.ts';
import type { FindingStore } from './finding-states.ts';
import type { Leases } from './leases.ts';
import type { RelationStore } from './relation-sql.ts';
import type { CheckStore } from './check-store.ts';
import type { IssueCounts, IssueQuery, RecordIssue } from './issue-query.ts';

export type { Resolution, SourcedName, SupportingWriteResult } from './supporting-resources.ts';
export type { Actor } from './actor.ts';
export type { NewLine, StoredLine } from './import-batches.ts';

/** Identity and instant of a stored version. */
export interface VersionMetadata {
  readonly id: string;
  readonly version: number;
  /** An instant with milliseconds, UTC. */
  readonly lastUpdated: string;
}

/** A stored version of a record with its exact JSON. */
export interface StoredVersion extends VersionMetadata {
  readonly text: string;
}

/** A stored version with its JSON as stored UTF-8, for responses without decoding. */
export interface StoredBytes extends VersionMetadata {
  readonly bytes: Buffer;
}

/** A version, or its metadata if its text fails its checksum. `fault` explains it (row 89). */
export type OrDamaged<Version extends VersionMetadata> =
  | Version
  | (Omit<Version, 'text' | 'bytes'> & { readonly fault: FhirError });

export interface HistoryVersion extends StoredVersion, Authorship {
  readonly operation: WriteOperation;
}

/** A new version with the rows that describe it. */
export interface NewVersion extends HistoryVersion, DerivedRows {
  readonly type: ResourceType;
  /** Moves of the previous version's findings. Others keep their pointers. */
  readonly movedIssues?: readonly FindingMove[];
  /** Id of the writing request, for the audit log. Absent without a request. */
  readonly requestId?: string | undefined;
  /** Origin of an imported record. A first version stores it. */
  readonly origin?: Origin | undefined;
  /** Line of the import batch that brings the version. */
  readonly batchLine?: StoredLine | undefined;
}

/** State of a record before a change. */
export interface Revision {
  readonly currentVersion: OrDamaged<StoredVersion>;
  readonly issues: readonly IssueRow[];
  /**
   * Number of the next version. Numbers grow by one, except after a restore: numbers assigned before it are
   * not reused.
   */
  readonly nextVersion: number;
}

export interface SearchPage {
  readonly total: number;
  /** Records of a large page are read one by one. */
  readonly records: Iterable<OrDamaged<StoredBytes>>;
  /** Bytes of the largest record that is read one by one. Absent if all are loaded. */
  readonly largest?: number;
  /** True if matches follow the last of `records`. */
  readonly hasMore: boolean;
  /** Cursor of the next page. Absent on the last. */
  readonly nextCursor?: Cursor;
  /** Cursor of the previous page. Absent on the first. */
  readonly previousCursor?: Cursor;
}

export interface HistoryQuery {
  /** Id of the record. Absent for the history of a type. */
  readonly id?: string;
  /** An instant with milliseconds, UTC. */
  readonly since?: string;
  /** Cursor of {@link HistoryPage.next}. */
  readonly after?: string;
}

export interface HistoryPage {
  readonly total: number;
  /** Latest first. Versions of a large page are read one by one. */
  readonly versions: Iterable<OrDamaged<HistoryVersion>>;
  /** Bytes of the largest version that is read one by one. Absent if all are loaded. */
  readonly largest?: number;
  readonly hasMore: boolean;
  /** Cursor of the next page. Absent on the last. */
  readonly next?: string;
}

/** A subject of recent records, with the number of all its records. */
export interface SubjectRow {
  readonly id: string;
  readonly records: number;
}

/** Numbers of a record's issues by severity. */
export interface SeverityCount {
  readonly id: string;
  readonly errors: number;
  readonly warnings: number;
}

/** Metadata of a version, without its text. */
export interface VersionSummary extends Omit<Authorship, 'reason'> {
  readonly type: ResourceType;
  readonly id: string;
  readonly version: number;
  /** An instant with milliseconds, UTC. */
  readonly lastUpdated: string;
  readonly operation: WriteOperation;
}

/** Versions of one author with one operation since an instant. The other members describe the latest version. */
export interface WriterHead extends VersionSummary {
  /** Number of distinct records. */
  readonly records: number;
  readonly versions: number;
}

/** A version with author, reason and its sequence number among all versions. */
export type PlacedVersion = VersionSummary & Authorship & { readonly place: number };

/** Queries of versions without their texts. */
export interface VersionHeads {
  /** Returns up to `limit` versions since an instant, newest first. */
  newest(since: string, limit: number): Promise<readonly VersionSummary[]>;
  /** Counts the records that changed since an instant, each once. */
  countChanged(since: string): Promise<number>;
  /** Lists up to `limit` authors and operations since an instant, latest versions first. */
  writers(since: string, limit: number): Promise<readonly WriterHead[]>;
  /**
   * Lists up to `limit` versions of a record, or of all, with author and reason, after a sequence number, oldest first.
   */
  listAuthorship(
    record: Pick<VersionSummary, 'type' | 'id'> | undefined,
    after: number,
    limit: number,
  ): Promise<readonly PlacedVersion[]>;
}

/** Records and supporting resources that were erased for good. */
export interface ErasedRecords {
  /** Also true for a supporting resource that may come from an erased one's source. */
  has(record: SourcedName): boolean;
  /** Latest first. */
  list(): readonly Erasure[];
}

/** A record to remove. Its versions stay, and an import may bring it again. */
export interface Removal extends Actor {
  readonly type: ResourceType;
  readonly id: string;
  /** Number of the version that must be current. */
  readonly version: number;
  readonly reason?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A removed record. */
export interface RemovedRecord extends Omit<Authorship, 'author'> {
  /** Number of its last version. */
  readonly version: number;
  /** An instant. */
  readonly time: string;
  readonly who: string;
}

/** A requested erasure. `requestId` is absent without a request; `time` defaults to now. */
export interface ErasureRequest
  extends SourcedName, Pick<Erasure, 'who' | 'person' | 'reason'>, Partial<Pick<Erasure, 'time'>> {
  readonly requestId?: string;
}

/** Interface of every engine. Each promise has a test of the contract (testing/contract-*.ts). */
export interface SharedStore {
  /** The audit log. A write stores its entry itself. */
  readonly audit: AuditReader;
  /** Stored data about findings. */
  readonly findings: FindingStore;
  /** Texts that fail their checksums. */
  readonly damage: DamageStore;
  /** The rows that describe the records, and their rebuild. */
  readonly derived: DerivedStore;
  /** Progress and results of custom checks. */
  readonly checks: CheckStore;
  /** Findings between records. */
  readonly relations: RelationStore;
  /** Leases for work that only one server does. */
  readonly leases: Leases;
  /** Versions without their texts. */
  readonly versionSummaries: VersionHeads;
  /** Read-only resources that came with records. */
  readonly supportingResources: SupportingResourceStore;
  /** Documents that an import brought as Bundles. */
  readonly documents: DocumentStore;
  /** Imports with their lines. */
  readonly batches: ImportBatchStore;
  read(type: ResourceType, id: string): Promise<OrDamaged<StoredVersion> | undefined>;
  readBytes(type: ResourceType, id: string): Promise<OrDamaged<StoredBytes> | undefined>;
  readVersion(
    type: ResourceType,
    id: string,
    version: number,
  ): Promise<OrDamaged<HistoryVersion> | undefined>;
  /** Returns versions, latest first, up to `limit`. Also those of a removed record, if its id is given. */
  history(type: ResourceType, query: HistoryQuery, limit: number): Promise<HistoryPage>;
  /** Returns the current version of a record, its issues and the number of the next version. */
  readForUpdate(type: ResourceType, id: string): Promise<Revision | undefined>;
  /** Returns the number of the first version of a record whose id may have been used before. */
  readFirstVersion(): Promise<number>;
  /** Returns how a record was removed. Undefined if it was not, or is stored again. */
  readRemoved(type: ResourceType, id: string): Promise<RemovedRecord | undefined>;
  /**
   * Stores a first version, or the next one of a removed record. Returns `exists` if the id is in use, `removed` if the
   * removed record has a later version, `erased` if the store knows its erasure.
   */
  insert(version: NewVersion): Promise<'stored' | 'exists' | 'removed' | 'erased'>;
  /** Stores version 1 if nothing matches, in one transaction with the search. Returns the first matches. */
  insertUnlessMatched(version: NewVersion, criteria: SearchCriteria): Promise<SearchPage>;
  /**
   * Stores the next version if the current one is `expected`, compared in the same statement. Issues found
   * elsewhere (isFoundElsewhere) stay as stored.
   */
  replace(version: NewVersion, expected: number): Promise<'stored' | 'stale'>;
  /**
   * Returns matches in the order of the criteria, up to `limit`. If more match, the page has `reducedLimit` of
   * them.
   *
   * @throws FhirError `rebuilding` if rows are not yet built for all records (also `total` and
   * `insertUnless`); `unanswered` on a timeout or an aborted signal, and `crowded` if too many searches wait
   * (also `total`).
   */
  search(
    criteria: SearchCriteria,
    limit: number,
    signal?: AbortSignal,
    reducedLimit?: number,
  ): Promise<SearchPage>;
  /** Returns the number of matches, independent of the cursor. */
  total(criteria: SearchCriteria, signal?: AbortSignal): Promise<number>;
  /** Returns the most frequent values of a facet among the matches, up to `limit`. */
  facet(criteria: SearchCriteria, facet: Facet, limit: number, signal?: AbortSignal): Promise<FacetValues>;
  /** Returns the numbers of errors and warnings of current versions. Records without issues are omitted. */
  severities(type: ResourceType, ids: readonly string[]): Promise<readonly SeverityCount[]>;
  /** Returns counts of broken rules by type. */
  issueCounts(query: IssueQuery): Promise<IssueCounts>;
  /** Returns issues with their records, record by record, after a cursor. */
  issues(query: IssueQuery, after: string | undefined, limit: number): Promise<readonly RecordIssue[]>;
  count(): Promise<Record<ResourceType, number>>;
  listLatestSubjects(limit: number): Promise<readonly SubjectRow[]>;
  /** Returns the number of these records that exist. */
  countExisting(type: ResourceType, ids: readonly string[]): Promise<number>;
  /**
   * Removes records whose current version is the expected one, with their audit entries, in one transaction. Their versions
   * stay. Returns whether each was removed.
   */
  remove(removals: readonly Removal[]): Promise<readonly boolean[]>;
  /**
   * Erases the records that exist, with all versions and derived rows, and the supporting resources with
   * those about them, in one transaction with the audit entries. Returns their names.
   */
  erase(records: readonly ErasureRequest[]): Promise<readonly string[]>;
  /** Announces many writes, which give way to other requests. Returns the function that ends them. */
  startBulk(): () => void;
  close(): Promise<void>;
}

/** Additional members of a store in a data folder. */
export interface RecordStore extends SharedStore {
  readonly audit: AuditStore;
  /** Status of the disk. The listener is called at each change, and at once if the disk is full. */
  readonly diskSpace: { readonly isFull: boolean; onChange(listener: (full: boolean) => void): void };
  /**
   * True if a full disk had no space for the shared files of reader threads, so that one thread does all
   * reads.
   */
  readonly isSingleThreaded: boolean;
  readonly damage: MendableDamage;
  /** Sets the listener for commits, each of which may have added to the audit log. */
  onCommitted(listener: () => void): void;
  /** Erases as above. Calls `onListed` within the transaction if any record is erased. */
  erase(
    records: readonly ErasureRequest[],
    onListed?: (erasures: readonly ErasureRequest[]) => void,
  ): Promise<readonly string[]>;
  /** Truncates the WAL, which otherwise still has erased data. */
  truncateWal(): Promise<void>;
}

/** Backups of a store that is a file. A database server has its own backups. */
export interface FileBackups {
  /**
   * Writes everything to a file at `backup`, then removes everything except the audit log, with no write in
   * between. Returns the bytes of the file.
   *
   * @throws DataFolderError if the backup cannot be written. Then nothing is removed.
   */
  empty(backup: string, actor: Actor): Promise<number>;
  /** Returns true if records were written that a backup lacks; without a backup, if there are any. */
  changedSince(backup: string | undefined): Promise<boolean>;
  /**
   * Writes everything to a file at `path` while requests continue. Returns the bytes of the file. It has all
   * writes acknowledged before the call, and later ones until shortly before the end.
   *
   * @throws DataFolderError
   */
  backUp(path: string, actor?: Actor): Promise<number>;
  /**
   * Replaces everything by a backup. The replaced data goes to a file at `before`. Erased records are excluded. Returns
   * the names of the erased records that the backup had.
   *
   * @throws DataFolderError if the backup is damaged. Then nothing changes.
   */
  restore(
    backup: string,
    before: string,
    actor?: Actor,
    erasures?: readonly ErasureRequest[],
  ): Promise<readonly string[]>;
}

/** A store whose records are in a file. */
export interface FileStore extends RecordStore {
  readonly files: FileBackups;
}
