/**
 * The store speaks records, versions and index rows; SQL stays inside this folder, and so does everything that only
 * SQLite needs. Called by the service and by the command line. Invariant: record, version, index and issue rows change
 * in one transaction with the audit trail's, and only where the caller knew the current version.
 */
import type { Authorship } from '../../core/app/authorship.ts';
import type { Erasure } from '../../core/app/erasures.ts';
import type { WriteOperation } from '../../core/app/history.ts';
import type { Derived } from '../../core/derive/derive.ts';
import type { NamedResource } from '../../core/fhir/companion.ts';
import type { Facet } from '../../core/fhir/facet.ts';
import type { FindingMove, IssueRow } from '../../core/fhir/issue-row.ts';
import type { FhirError } from '../../core/fhir/outcome.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { Cursor, SearchCriteria } from '../../core/fhir/search-criteria.ts';
import type { AuditLog, AuditStore } from './sqlite/audit.ts';
import type { CompanionStore } from './companions.ts';
import type { DamageStore, MendableDamage } from './damage.ts';
import type { DerivedStore } from './derived.ts';
import type { Doer } from './doer.ts';
import type { DiskRoom } from './sqlite/disk-room.ts';
import type { VersionHeads } from './sqlite/version-heads.ts';
import type { FacetValues } from './facet-values.ts';
import type { FindingStore } from './finding-states.ts';
import type { Leases } from './leases.ts';
import type { RelationStore } from './relation-sql.ts';
import type { CheckStore } from './check-store.ts';
import type { IssueCounts, IssueQuery, RecordIssue } from './issue-query.ts';

export type { CompanionFate } from './companions.ts';
export type { Doer } from './doer.ts';
export type { VersionHead, WriterHead } from './sqlite/version-heads.ts';

/** What names a stored version and its time. */
export interface VersionFacts {
  readonly id: string;
  readonly version: number;
  /** An instant with milliseconds, UTC. */
  readonly lastUpdated: string;
}

/** One stored version of a record; `text` is its exact JSON. */
export interface StoredVersion extends VersionFacts {
  readonly text: string;
}

/** The same with its JSON as it lies in the store, for answers: in UTF-8, neither decoded nor encoded again. */
export interface StoredBytes extends VersionFacts {
  readonly bytes: Buffer;
}

/** A version, or what is left of it where its text fails its checksum: `fault` says so to a person (row 89). */
export type OrDamaged<Version extends VersionFacts> =
  | Version
  | (Omit<Version, 'text' | 'bytes'> & { readonly fault: FhirError });

/** A version with what its history says of it. */
export interface HistoryVersion extends StoredVersion, Authorship {
  readonly operation: WriteOperation;
}

/** A version about to be stored, with the rows that describe it. */
export interface NewVersion extends HistoryVersion, Derived {
  readonly type: ResourceType;
  /** What becomes of the findings of the version before it; those that are not named stay in place. */
  readonly movedIssues?: readonly FindingMove[];
  /** Id of the request that wrote, for the audit trail; absent where there was none. */
  readonly requestId?: string | undefined;
}

/** What a change meets. */
export interface Revision {
  readonly standing: OrDamaged<StoredVersion>;
  /** What is wrong with it. */
  readonly issues: readonly IssueRow[];
  /**
   * The number of the version behind it. They rise one by one, but for those that were given out before a restore took
   * them back.
   */
  readonly next: number;
}

export interface SearchPage {
  /** All matches, not only this page's. */
  readonly total: number;
  /** Of a large page each is read when its turn comes. */
  readonly records: Iterable<OrDamaged<StoredBytes>>;
  /** Bytes of the largest that is read in its turn; absent where all are at hand. */
  readonly largest?: number;
  /** Whether matches follow behind the last of `records`. */
  readonly more: boolean;
  /** Where the next page starts; absent on the last. */
  readonly next?: Cursor;
  /** Where the page before starts; absent on the first. */
  readonly previous?: Cursor;
}

export interface HistoryQuery {
  /** The record; absent for the history of a type. */
  readonly id?: string;
  /** An instant with milliseconds, UTC. */
  readonly since?: string;
  /** Behind which version, as {@link HistoryPage.next} said. */
  readonly after?: string;
}

export interface HistoryPage {
  /** All versions that the query asks for, not only this page's. */
  readonly total: number;
  /** Newest first; of a large page each is read when its turn comes. */
  readonly versions: Iterable<OrDamaged<HistoryVersion>>;
  /** Bytes of the largest that is read in its turn; absent where all are at hand. */
  readonly largest?: number;
  readonly more: boolean;
  /** Where the next page starts; absent on the last. */
  readonly next?: string;
}

/** A subject among the newest records, with the number of all its records. */
export interface SubjectRow {
  readonly id: string;
  readonly records: number;
}

/** How many issues of each severity a record has. */
export interface SeverityCount {
  readonly id: string;
  readonly errors: number;
  readonly warnings: number;
}

/** Which records, and companions, were erased for good: none of them comes back. */
export interface Erased {
  has(record: NamedResource): boolean;
  /** Newest first. */
  list(): readonly Erasure[];
}

/** An erasure about to be made; `requestId` is absent where no request asked, `time` where it is now. */
export interface Erasing
  extends NamedResource, Pick<Erasure, 'who' | 'person' | 'reason'>, Partial<Pick<Erasure, 'time'>> {
  readonly requestId?: string;
}

/** What every engine offers; a promise here is a test of the contract (testing/contract-*.ts). */
export interface SharedStore {
  /** Who did what. The entry of a write is stored with it, by the write itself. */
  readonly audit: AuditLog;
  /** What is kept of findings over the days. */
  readonly findings: FindingStore;
  /** Which texts fail their checksums. */
  readonly damage: DamageStore;
  /** The rows that describe the records: which derivation they are of, and how they are made anew. */
  readonly derived: DerivedStore;
  /** Which records a steward's own checks were asked of. */
  readonly checks: CheckStore;
  /** What is wrong between records. */
  readonly relations: RelationStore;
  /** Which of its servers does what is to be done once. */
  readonly leases: Leases;
  /** Versions without their texts. */
  readonly heads: VersionHeads;
  /** What came with records and is none. */
  readonly companions: CompanionStore;
  read(type: ResourceType, id: string): Promise<OrDamaged<StoredVersion> | undefined>;
  readBytes(type: ResourceType, id: string): Promise<OrDamaged<StoredBytes> | undefined>;
  readVersion(
    type: ResourceType,
    id: string,
    version: number,
  ): Promise<OrDamaged<HistoryVersion> | undefined>;
  /** Versions, newest first; `limit` bounds the page. */
  history(type: ResourceType, query: HistoryQuery, limit: number): Promise<HistoryPage>;
  /** What a change meets: the current version of a record, what is wrong with it, and the number of the next. */
  revision(type: ResourceType, id: string): Promise<Revision | undefined>;
  /** The number of the first version of a record whose id may have been there before. */
  firstNumber(): Promise<number>;
  /** Stores a first version; `exists` where the id is taken, `erased` where the store itself knows that it was erased. */
  insert(version: NewVersion): Promise<'stored' | 'exists' | 'erased'>;
  /** Stores version 1 where nothing matches, in one transaction with the search; answers the first matches. */
  insertUnless(version: NewVersion, criteria: SearchCriteria): Promise<SearchPage>;
  /**
   * Stores the next version where the current one is still `expected`; compare and write are one statement. What was found
   * elsewhere (isFoundElsewhere) stays as it stands, whatever the version says of it.
   */
  replace(version: NewVersion, expected: number): Promise<'stored' | 'stale'>;
  /**
   * Matches in the order of the criteria; `limit` bounds the page. This, `total` and `insertUnless` throw FhirError
   * `rebuilding` where rows that they need are not yet made of all records. A search and a total are given up with the
   * signal (`unanswered`), where they take long (the same), and where too many wait (`crowded`). Where more than `limit`
   * match, the page has `lessOf` of them.
   */
  search(criteria: SearchCriteria, limit: number, signal?: AbortSignal, lessOf?: number): Promise<SearchPage>;
  /** The number of matches, wherever the criteria's page starts. */
  total(criteria: SearchCriteria, signal?: AbortSignal): Promise<number>;
  /** The most frequent values of a facet among the matches, so many of them. */
  facet(criteria: SearchCriteria, facet: Facet, limit: number, signal?: AbortSignal): Promise<FacetValues>;
  /** Errors and warnings of the current versions of these records; one without issues is left out. */
  severities(type: ResourceType, ids: readonly string[]): Promise<readonly SeverityCount[]>;
  /** How often each rule is broken, by type. */
  issueCounts(query: IssueQuery): Promise<IssueCounts>;
  /** Issues with their records, record by record, those behind `after`. */
  issues(query: IssueQuery, after: string | undefined, limit: number): Promise<readonly RecordIssue[]>;
  count(): Promise<Record<ResourceType, number>>;
  newestSubjects(limit: number): Promise<readonly SubjectRow[]>;
  /** How many of these records there are. */
  countOf(type: ResourceType, ids: readonly string[]): Promise<number>;
  /**
   * Removes those of the records that are there, with all their versions and what describes them, and of the companions
   * with those that are about them, in one transaction with their entries in the audit trail; answers their names.
   */
  erase(records: readonly Erasing[]): Promise<readonly string[]>;
  /** Says that writes in great number follow, which are to give way to others; answers how to say that they ended. */
  beginBulk(): () => void;
  close(): Promise<void>;
}

/** What SQLite's store offers beside it. */
export interface RecordStore extends SharedStore {
  readonly audit: AuditStore;
  /** Whether the disk takes what is written. */
  readonly room: Pick<DiskRoom, 'full' | 'onChange'>;
  /** Whether a full disk had no room for what readers in threads share, so that one thread answers all. */
  readonly alone: boolean;
  readonly damage: MendableDamage;
  /** The same with `listed` in the transaction, which is called with all of them where there are any. */
  erase(
    records: readonly Erasing[],
    listed?: (erased: readonly Erasing[]) => void,
  ): Promise<readonly string[]>;
  /** Cuts the log to nothing, in which what was removed stands still. */
  emptyLog(): Promise<void>;
}

/** Backups as files: what a store offers that is a file itself. A database that a hospital runs is backed up by its keepers. */
export interface FileBackups {
  /**
   * Writes everything into a file at `backup` and then removes it but for the audit trail, with no write in between;
   * answers the file's bytes.
   * Rejects with DataFolderError where the backup cannot be written; then nothing is removed.
   */
  empty(backup: string, doer: Doer): Promise<number>;
  /** Whether records were written that a backup does not hold: all of them where there is none. */
  changedSince(backup: string | undefined): Promise<boolean>;
  /**
   * Writes everything into a file at `path` while other requests are answered; answers the file's bytes. It holds what
   * was acknowledged before the call, and what followed until a moment before the answer. Rejects with DataFolderError.
   */
  backUp(path: string, doer?: Doer): Promise<number>;
  /**
   * Puts a backup in the place of everything, which is kept in a file at `before`. The erased records are left out; the
   * answer names those that the backup held. Rejects with DataFolderError where the backup is not good; then nothing is
   * changed.
   */
  restore(
    backup: string,
    before: string,
    doer?: Doer,
    erased?: readonly Erasing[],
  ): Promise<readonly string[]>;
}

/** A store whose records lie in a file. */
export interface FileStore extends RecordStore {
  readonly files: FileBackups;
}
