/**
 * Thresholds of checks: how many records may violate a check before it counts as a warning or failure.
 * Changes need no new validation.
 */
import type { Threshold } from './measures.ts';

type ThresholdLimit = Threshold['warnAbove'];

/** Comparison of a count with a threshold. */
export type ThresholdStatus = 'within' | 'warning' | 'failure';

/** Parses a count or a percentage of records: `3`, `2%`. Returns `wrong` for other text. */
export function parseLimit(input: string): ThresholdLimit | 'wrong' {
  const [, number = '', percent] = /^\s*(\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(input) ?? [];
  if (number === '') return input.trim() === '' ? undefined : 'wrong';
  if (percent === '%') return Number(number) <= 100 ? { percent: Number(number) } : 'wrong';
  return number.includes('.') ? 'wrong' : { count: Number(number) };
}

/** Formats a limit in the form that {@link parseLimit} reads. */
export function formatLimit(limit: ThresholdLimit): string {
  if (!limit) return '';
  return 'count' in limit ? String(limit.count) : `${limit.percent}%`;
}

/** Returns the status of `violatedCount` of `appliedCount` records; undefined without a threshold. */
export function getThresholdStatus(
  { warnAbove, failAbove }: Threshold,
  violatedCount: number,
  appliedCount: number,
): ThresholdStatus | undefined {
  if (isAbove(failAbove, violatedCount, appliedCount)) return 'failure';
  if (isAbove(warnAbove, violatedCount, appliedCount)) return 'warning';
  return warnAbove || failAbove ? 'within' : undefined;
}

function isAbove(limit: ThresholdLimit, violatedCount: number, appliedCount: number): boolean {
  if (!limit) return false;
  return 'count' in limit ? violatedCount > limit.count : violatedCount * 100 > limit.percent * appliedCount;
}
