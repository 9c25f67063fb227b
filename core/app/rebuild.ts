/** Data of derived rows: index and findings of the records, and their rebuild. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

/** Progress of the rebuild. Also the response of `POST /app/quality/judge`. */
export const RebuildState = v.object({
  state: v.picklist(['idle', 'running']),
  /** Counts of records; both 0 if idle. */
  done: v.number(),
  total: v.number(),
  /**
   * Names of index keys (`CarePlan.subject`), sort columns (`CarePlan/sort`) and rules (`CarePlan/rules`).
   */
  parts: v.array(v.string()),
  /** Count of records with damaged text. Their old rows remain. */
  skipped: v.number(),
});
export type RebuildState = Shape<typeof RebuildState>;

export const JudgedState = v.object({
  /** Instant of the last complete validation; absent if some records were not validated by these rules. */
  at: v.exactOptional(v.string()),
  /** Fingerprint of the rules. */
  rules: v.string(),
});

/** Returns the progress in whole percent. */
export function percentOf({ done, total }: Pick<RebuildState, 'done' | 'total'>): number {
  return total === 0 ? 0 : Math.floor((done / total) * 100);
}

/** Returns true if the rebuild validates records, not only indexes them. */
export function isValidating({ parts }: Pick<RebuildState, 'parts'>): boolean {
  return parts.some((part) => part.endsWith('/rules'));
}
