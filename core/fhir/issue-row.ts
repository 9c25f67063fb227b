/** Issue of a stored record in the quality worklist. Its sentence is the sentence of the rule. */
export interface IssueRow {
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  readonly category: 'conformance' | 'completeness' | 'plausibility';
  readonly pointer: string;
}

/**
 * Returns true if a rule needs more than the record: a custom check (`my/ID`) or a relation to other records
 * (`store/ID`). Rules of FHIR and of the program have no slash.
 */
export function isFoundElsewhere({ rule }: Pick<IssueRow, 'rule'>): boolean {
  return rule.includes('/');
}

/** Rule about a change. It needs the previous version of the record. */
export const staleRule = 'narrative-stale';

/** A finding whose element moved or was removed in the next version. */
export interface FindingMove {
  readonly rule: string;
  readonly previousPointer: string;
  /** JSON Pointer in the next version; absent if the element was removed or has another value. */
  readonly nextPointer?: string;
}
