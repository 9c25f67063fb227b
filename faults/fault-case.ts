/** What breaks the world on purpose: one case a file in `cases/`, run one after another by `run.ts`. */

import type { Figures, Tally } from './tally.ts';

/** Full counts are for `npm run test:faults`, short ones for each run of the tests. */
export type Extent = 'full' | 'short';

export interface FaultContext {
  readonly extent: Extent;
  /** A folder of the case's own, empty; removed behind it. */
  readonly folder: string;
  /** Seed of whatever is random. */
  readonly seed: number;
  /** What was counted so far; stands in the report of a case that fails. */
  readonly tally: Tally;
  /** Minutes that a case with a duration of its own takes instead. */
  readonly minutes?: number | undefined;
  /** Tells a person how far the case is. */
  readonly say: (line: string) => void;
}

/** What a case found out; what is shown of it stands in the report. */
export type Finding =
  | { readonly result: 'passed'; readonly figures: Figures }
  | { readonly result: 'failed'; readonly figures: Figures; readonly reason: string }
  /** The machine cannot run it: never a pass. */
  | { readonly result: 'not run'; readonly reason: string };

export interface FaultCase {
  /** For `--only`. */
  readonly name: string;
  /** What must hold, in one sentence. */
  readonly claim: string;
  /** Whether other cases may run meanwhile. */
  readonly beside?: boolean;
  /** Whether what it finds depends on how quick the machine is; `npm test` leaves it out. */
  readonly timed?: boolean;
  /** Whether it takes so long with short counts too that `npm test` leaves it out. */
  readonly long?: boolean;
  /** True if its report stands in a section of its own, written by a run of this case alone. */
  readonly alone?: boolean;
  /** Whether it is about servers over a PostgreSQL store, which have a section of their own in the report. */
  readonly shared?: boolean;
  run(context: FaultContext): Promise<Finding>;
}

/** Ends a case: what is not as it must be is told by `reason`. */
export class FaultError extends Error {
  override readonly name = 'FaultError';
  readonly figures: Figures;

  constructor(reason: string, figures: Figures = {}) {
    super(reason);
    this.figures = figures;
  }
}
