/**
 * How many records may violate a check before it is told as a warning or a failure: how that is written, and what it makes
 * of a count. Nothing is judged anew for it.
 */
import type { Threshold } from './measures.ts';

type Bound = Threshold['warnAbove'];

/** What a threshold makes of a count. */
export type Standing = 'within' | 'warning' | 'failure';

/** A number of records, or a share of them: `3`, `2 %`. `wrong` where it is neither. */
export function boundOf(written: string): Bound | 'wrong' {
  const [, number = '', percent] = /^\s*(\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(written) ?? [];
  if (number === '') return written.trim() === '' ? undefined : 'wrong';
  if (percent === '%') return Number(number) <= 100 ? { percent: Number(number) } : 'wrong';
  return number.includes('.') ? 'wrong' : { count: Number(number) };
}

/** As {@link boundOf} reads it. */
export function boundText(bound: Bound): string {
  if (!bound) return '';
  return 'count' in bound ? String(bound.count) : `${bound.percent} %`;
}

/** Where `violated` of `applied` records stand; undefined where no bound is set. */
export function standingOf(
  { warnAbove, failAbove }: Threshold,
  violated: number,
  applied: number,
): Standing | undefined {
  if (isAbove(failAbove, violated, applied)) return 'failure';
  if (isAbove(warnAbove, violated, applied)) return 'warning';
  return warnAbove || failAbove ? 'within' : undefined;
}

function isAbove(bound: Bound, violated: number, applied: number): boolean {
  if (!bound) return false;
  return 'count' in bound ? violated > bound.count : violated * 100 > bound.percent * applied;
}
