import type { Extent, FaultResult } from './fault-case.ts';

/** A case and its finding, as in the report. */
export interface CaseReport {
  readonly name: string;
  readonly claim: string;
  readonly seconds: number;
  readonly finding: FaultResult;
}

export interface FaultReport {
  readonly extent: Extent;
  readonly seed: number;
  readonly cases: readonly CaseReport[];
}
