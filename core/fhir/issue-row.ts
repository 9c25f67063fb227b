/** One issue of a stored record, as the quality worklist reads it; its sentence is the rule's. */
export interface IssueRow {
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  readonly category: 'conformance' | 'completeness' | 'plausibility';
  /** JSON Pointer of the element. */
  readonly pointer: string;
}
