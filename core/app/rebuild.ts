/** What page and server say to each other of derived rows: index and findings of the records, and their rebuild. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

/** How far what is derived is made anew; `POST /app/quality/judge` answers it too. */
export const RebuildState = v.object({
  state: v.picklist(['idle', 'running']),
  /** Records; both 0 where nothing runs. */
  done: v.number(),
  total: v.number(),
  /** Names of index keys (`CarePlan.subject`), sort columns (`CarePlan/sort`) and rules (`CarePlan/rules`). */
  parts: v.array(v.string()),
  /** Records whose text is damaged: what was derived of them stays. */
  skipped: v.number(),
});
export type RebuildState = Shape<typeof RebuildState>;

export const JudgedState = v.object({
  /** When all records were last judged; absent where some were not by these rules. */
  at: v.exactOptional(v.string()),
  /** Which rules: another text for other rules. */
  rules: v.string(),
});

/** Whole percent of the records that are done. */
export function percentOf({ done, total }: Pick<RebuildState, 'done' | 'total'>): number {
  return total === 0 ? 0 : Math.floor((done / total) * 100);
}

/** Whether records are judged anew, rather than their index alone made. */
export function isJudging({ parts }: Pick<RebuildState, 'parts'>): boolean {
  return parts.some((part) => part.endsWith('/rules'));
}
