/** What the page and the worker that runs its rules say to each other. */
import type { QualityFinding } from '../../core/app/quality.ts';
import type { OutcomeIssue } from '../../core/fhir/outcome.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';

export interface RulesQuestion {
  readonly ticket: number;
  readonly type: ResourceType;
  readonly texts: readonly string[];
  readonly today: string;
}

/** What is wrong with an element, for a worklist and as an outcome's issue. */
export interface JudgedFinding extends Pick<
  QualityFinding,
  'rule' | 'severity' | 'category' | 'message' | 'pointer' | 'excerpt'
> {
  readonly issue: OutcomeIssue;
}

export interface RulesAnswer {
  readonly ticket: number;
  readonly findings: readonly (readonly JudgedFinding[])[];
}
