import { judge, type FoundElsewhere, type Judgement } from '../../core/fhir/judgement.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { lineChanges, type LineChange } from '../../core/json/line-changes.ts';
import type { Ticketed } from './latest-worker.ts';

export interface JudgeQuestion {
  readonly text: string;
  /** The text that the steward began with; absent where it is that of the question before. */
  readonly base?: string;
  readonly type: ResourceType;
  /** A date (YYYY-MM-DD): what is overdue depends on it. */
  readonly today: string;
  /** What checks of one's own found. */
  readonly found: readonly FoundElsewhere[];
}

export interface JudgeAnswer extends Judgement, Ticketed {
  /** The lines that differ from the base. */
  readonly changes: readonly LineChange[];
}

let known = '';

self.addEventListener('message', ({ data }: MessageEvent<JudgeQuestion & Ticketed>) => {
  const { ticket, text, base = known, type, today, found } = data;
  known = base;
  const changes = lineChanges(base, text);
  self.postMessage({ ticket, ...judge(text, type, today, found), changes } satisfies JudgeAnswer);
});
