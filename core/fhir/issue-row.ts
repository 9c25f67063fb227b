/** One issue of a stored record, as the quality worklist reads it; its sentence is the rule's. */
export interface IssueRow {
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  readonly category: 'conformance' | 'completeness' | 'plausibility';
  /** JSON Pointer of the element. */
  readonly pointer: string;
}

/**
 * Whether a rule is told by more than the record: a steward's own check (`my/ID`), or a relation to other records
 * (`store/ID`). Rules of FHIR and of the program have no slash.
 */
export function isFoundElsewhere({ rule }: Pick<IssueRow, 'rule'>): boolean {
  return rule.includes('/');
}

/** The rule that looks at a change: a record by itself does not tell it. */
export const staleRule = 'narrative-stale';

/** A finding whose element stands elsewhere in the next version, or that the next version does not have any more. */
export interface FindingMove {
  readonly rule: string;
  readonly from: string;
  /** JSON Pointer in the next version; absent if the element is gone or says something else. */
  readonly to?: string;
}
