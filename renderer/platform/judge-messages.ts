/** What the page and the worker that judges a text say to each other. */
import type { FoundElsewhere, Judgement } from '../../core/fhir/judgement.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { LineChange } from '../../core/json/line-changes.ts';

export interface JudgeQuestion {
  readonly ticket: number;
  readonly text: string;
  /** The text that the steward began with; absent where it is that of the question before. */
  readonly base?: string;
  readonly type: ResourceType;
  /** A date (YYYY-MM-DD): what is overdue depends on it. */
  readonly today: string;
  /** What checks of one's own found. */
  readonly found: readonly FoundElsewhere[];
}

export interface JudgeAnswer extends Judgement {
  readonly ticket: number;
  /** The lines that differ from the base. */
  readonly changes: readonly LineChange[];
}
