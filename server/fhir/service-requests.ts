/** What the record service is asked, and what it answers. */
import type { Authorship } from '../../core/app/authorship.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../core/fhir/search-criteria.ts';
import type { Finding } from '../../core/fhir/validation/finding.ts';
import type { ValidationLevel } from '../../core/fhir/validation/levels.ts';
import type { StoredVersion } from '../store/store.ts';
import type { Conditions } from './conditions.ts';

/** Who writes what, and why. */
export interface WriteRequest extends Authorship {
  readonly type: ResourceType;
  readonly text: string;
  /** Absent where no request asked. */
  readonly requestId?: string | undefined;
}

export interface CreateRequest extends WriteRequest {
  /** What If-None-Exist asks for: a record that matches stands in for a new one. */
  readonly unless?: SearchCriteria | undefined;
}

export interface ChangeRequest extends WriteRequest, Conditions {
  readonly id: string;
}

/** A version that stood before, by its number, in the place of its text. */
export interface PutBackRequest extends Omit<ChangeRequest, 'text'> {
  readonly version: number;
}

export interface ImportRequest extends WriteRequest {
  /** Stores the record under the id that it brings. */
  readonly keepIds: boolean;
  /** Says what would become of the record, and stores nothing. */
  readonly dryRun?: boolean;
  /** Another level than the service's own: dirty data may come in, flagged. */
  readonly level?: ValidationLevel;
}

/** What a write ended in. */
export interface Written {
  readonly version: StoredVersion;
  /** False where the content was there already. */
  readonly stored: boolean;
  readonly findings: readonly Finding[];
  /**
   * What was sent, with id and meta: all that a client hears that may not read. Absent where the record has more than
   * was sent: behind a patch, and for a record that stands in for a new one.
   */
  readonly sent?: string;
}

export type ImportResult = 'stored' | 'unchanged';

/** What became of a record of an import. */
export interface Imported {
  readonly result: ImportResult;
  readonly id: string;
  /** Of the version that was stored: when, and how many findings it has. */
  readonly lastUpdated?: string;
  readonly findings?: number;
}
