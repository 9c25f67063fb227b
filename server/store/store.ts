/**
 * The store speaks records, versions and index rows; SQL stays inside this folder, and so does everything that only
 * SQLite needs. Called by the service and by the command line. Invariant: record, version and index rows change in
 * one transaction, and only where the caller knew the current version.
 */
import type { ReferenceRow, SearchCriteria } from '../../core/fhir/search.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';

export type WriteOperation = 'create' | 'update' | 'patch' | 'import';

/** One stored version of a record; `text` is its exact JSON. */
export interface StoredVersion {
  readonly id: string;
  readonly version: number;
  /** An instant with milliseconds, UTC. */
  readonly lastUpdated: string;
  readonly text: string;
}

/** A version about to be stored, with the index rows that its text gives. */
export interface NewVersion extends StoredVersion {
  readonly type: ResourceType;
  readonly operation: WriteOperation;
  /** Name of the token that writes. */
  readonly author: string;
  readonly references: readonly ReferenceRow[];
}

export interface SearchPage {
  /** All matches, not only this page's. */
  readonly total: number;
  readonly records: readonly StoredVersion[];
  /** Whether matches follow behind the last of `records`. */
  readonly more: boolean;
}

/** A subject among the newest records, with the number of all its records. */
export interface SubjectRow {
  readonly id: string;
  readonly records: number;
}

export interface RecordStore {
  read(type: ResourceType, id: string): Promise<StoredVersion | undefined>;
  /** Stores version 1; `exists` where the id is taken. */
  insert(version: NewVersion): Promise<'stored' | 'exists'>;
  /** Stores the next version where the current one is still `expected`; compare and write are one statement. */
  replace(version: NewVersion, expected: number): Promise<'stored' | 'stale'>;
  /** Matches, newest first; `limit` bounds the page. */
  search(criteria: SearchCriteria, limit: number): Promise<SearchPage>;
  count(): Promise<Record<ResourceType, number>>;
  newestSubjects(limit: number): Promise<readonly SubjectRow[]>;
  close(): Promise<void>;
}
