/** Types of the cases in `cases/`. Each case breaks something on purpose, and `run.ts` runs them in order. */

import type { Figures, Tally } from './tally.ts';

/** Full counts are for `npm run test:faults`, short counts for each run of the tests. */
export type Extent = 'full' | 'short';

export interface FaultContext {
  readonly runLength: Extent;
  /** An empty folder of this case. The runner removes it afterwards. */
  readonly folder: string;
  /** Seed of all random choices. */
  readonly seed: number;
  /** Counts so far. The report of a failed case contains them. */
  readonly tally: Tally;
  /** Minutes that replace the own duration of a case. */
  readonly minutes?: number | undefined;
  /** Prints progress for a person. */
  readonly say: (line: string) => void;
}

/** The result of a case, with the figures of the report. */
export type FaultResult =
  | { readonly result: 'passed'; readonly figures: Figures }
  | { readonly result: 'failed'; readonly figures: Figures; readonly reason: string }
  /** The machine cannot run it. This is never a pass. */
  | { readonly result: 'not run'; readonly reason: string };

export interface FaultCase {
  /** Name for `--only`. */
  readonly name: string;
  /** The claim in one sentence. */
  readonly claim: string;
  /** True if other cases may run at the same time. */
  readonly parallel?: boolean;
  /** True if the result depends on the speed of the machine. `npm test` skips such a case. */
  readonly timed?: boolean;
  /** True if even short counts take too long for `npm test`. */
  readonly long?: boolean;
  /** True if the report has a section for this case, written only by a run of the case. */
  readonly ownSection?: boolean;
  /** True if the case needs a PostgreSQL store. The report has a section for such cases. */
  readonly shared?: boolean;
  run(context: FaultContext): Promise<FaultResult>;
}

/** Ends a case as failed, with a reason. */
export class FaultError extends Error {
  override readonly name = 'FaultError';
  readonly figures: Figures;

  constructor(reason: string, figures: Figures = {}) {
    super(reason);
    this.figures = figures;
  }
}
