/** What page and server say to each other of derived rows: index and findings of the records, and their rebuild. */
import * as v from 'valibot';

/** How far what is derived is made anew; `POST /app/quality/judge` answers it too. */
export const rebuildState = v.object({
  state: v.picklist(['idle', 'running']),
  /** Records; both 0 where nothing runs. */
  done: v.number(),
  total: v.number(),
  /** Names of index keys (`CarePlan.subject`), sort columns (`CarePlan/sort`) and rules (`CarePlan/rules`). */
  parts: v.array(v.string()),
  /** Records whose text is damaged: what was derived of them stays. */
  skipped: v.number(),
});
export type RebuildState = v.InferOutput<typeof rebuildState>;

export const judgedState = v.object({
  /** When all records were last judged; absent where some were not by these rules. */
  at: v.optional(v.string()),
  /** Which rules: another text for other rules. */
  rules: v.string(),
});
export type JudgedState = v.InferOutput<typeof judgedState>;

/** Narrows to a state that the server answers. */
export function isRebuildState(value: unknown): value is RebuildState {
  return v.is(rebuildState, value);
}

/** Whole percent of the records that are done. */
export function percentOf({ done, total }: Pick<RebuildState, 'done' | 'total'>): number {
  return total === 0 ? 0 : Math.floor((done / total) * 100);
}

/** Whether records are judged anew, rather than their index alone made. */
export function isJudging({ parts }: Pick<RebuildState, 'parts'>): boolean {
  return parts.some((part) => part.endsWith('/rules'));
}
