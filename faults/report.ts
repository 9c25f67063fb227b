import type { Extent, Finding } from './fault-case.ts';

/** A case with what it found, as it stands in the report. */
export interface CaseReport {
  readonly name: string;
  readonly claim: string;
  readonly seconds: number;
  readonly finding: Finding;
}

export interface FaultReport {
  readonly extent: Extent;
  readonly seed: number;
  readonly cases: readonly CaseReport[];
}
