import type { ImportResult } from '../../core/app/transfer.ts';
import type { Problem } from '../../core/fhir/outcome.ts';
import type { RewrittenLink } from '../../core/fhir/references-in-text.ts';

/** Reason of a rejection, as a message and a code. */
export interface RefusalReason extends Partial<Pick<Problem, 'messageCode' | 'parameters' | 'expression'>> {
  readonly reason: string;
  /** Count of further problems. */
  readonly more?: number;
  /** True if only rules rejected the record. The level `off` stores it. */
  readonly storable?: true;
}

/** Result of one candidate. `reason` is the reason of a rejection, or the skipped type. */
export interface ImportedRecord extends Partial<RefusalReason> {
  /** Line or number of the Bundle entry, from 1; absent for a single record. */
  readonly place?: number;
  /** Path in nested Bundles, Parameters or arrays; absent if `place` says it all. */
  readonly path?: string;
  readonly file?: string;
  readonly result: ImportResult;
  /**
   * The stored or expected record or supporting resource: `CarePlan/17`; absent if a dry run cannot know
   * its id.
   */
  readonly record?: string;
  /** How many findings it is flagged with. */
  readonly issues?: number;
  /** How many of its links were rewritten to records of the import. */
  readonly links?: number;
  /** The first of them. */
  readonly rewritten?: readonly RewrittenLink[];
  /** Instant of its version; absent after a dry run. */
  readonly lastUpdated?: string;
}
