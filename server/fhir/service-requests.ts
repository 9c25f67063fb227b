/** Requests and results of the record service. */
import type { Authorship } from '../../core/app/authorship.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../core/fhir/search-criteria.ts';
import type { Finding } from '../../core/fhir/validation/finding.ts';
import type { ValidationLevel } from '../../core/fhir/validation/levels.ts';
import type { StoredLine, StoredVersion } from '../store/store.ts';

/** Author and content of a write, with the reason. */
export interface WriteRequest extends Authorship {
  readonly type: ResourceType;
  readonly text: string;
  /** Absent outside of a request. */
  readonly requestId?: string | undefined;
}

export interface CreateRequest extends WriteRequest {
  /** Criteria of If-None-Exist: a matching record replaces a new one. */
  readonly unless?: SearchCriteria | undefined;
}

/** The conditions of a change, as their headers were sent. */
export interface Conditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly ifUnmodifiedSince?: string | undefined;
}

export interface ChangeRequest extends WriteRequest, Conditions {
  readonly id: string;
}

/** A version that stood before, by its number, in the place of its text. */
export interface RevertRequest extends Omit<ChangeRequest, 'text'> {
  readonly version: number;
}

export interface ImportRequest extends WriteRequest {
  /** Stores the record under the id that it brings. */
  readonly keepIds: boolean;
  /** Id of a new record, unless it keeps its own. Assigned if absent. */
  readonly id?: string | undefined;
  /** Batch of the import. Absent if the record has no origin. */
  readonly batch?: string | undefined;
  /** Address of the record in its Bundle. */
  readonly fullUrl?: string | undefined;
  /** Line of the batch about the record. */
  readonly batchLine?: StoredLine | undefined;
  /** Returns the result without storing anything. */
  readonly dryRun?: boolean;
  /** Overrides the level of the service: an import may store invalid data with findings. */
  readonly level?: ValidationLevel;
}

export interface WrittenRecord {
  readonly version: StoredVersion;
  /** False if the content already existed. */
  readonly isNewVersion: boolean;
  readonly findings: readonly Finding[];
  /**
   * The sent text with id and meta: all that a client without read permission receives. Absent if the
   * record contains more than was sent: after a patch, and for an existing record that replaces a new one.
   */
  readonly clientText?: string;
}

export type ImportResult = 'stored' | 'unchanged';

export interface RecordImport {
  readonly result: ImportResult;
  readonly id: string;
  /** Number and instant of the stored version, and its count of findings. */
  readonly version?: number;
  readonly lastUpdated?: string;
  readonly findings?: number;
  /** Number and text of the stored version, or of the current one. */
  readonly content: Pick<StoredVersion, 'version' | 'text'>;
}
