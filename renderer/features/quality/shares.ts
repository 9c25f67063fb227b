import type { QualityFilter, QualityGroup, QualityOverview } from '../../../core/app/quality.ts';
import type { Standing } from '../../../core/app/thresholds.ts';
import type { Tone } from '../../ui/tone-dot.tsx';

/** The colour of a threshold's word. */
export const toneOf: Readonly<Record<Standing, Tone>> = {
  within: 'good',
  warning: 'warning',
  failure: 'danger',
};

/** A part of a whole in percent: `0 %` and `100 %` only where they are exact. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0 %';
  const percent = (part / whole) * 100;
  if (percent < 0.1) return '< 0.1 %';
  if (part < whole && percent > 99.9) return '> 99.9 %';
  return `${percent < 10 || percent > 99 ? percent.toFixed(1).replace(/\.0$/, '') : Math.round(percent)} %`;
}

/** The number of records that a count is a share of: those of the filter's type, else all. */
export function wholeOf({ records }: Pick<QualityOverview, 'records'>, { type }: QualityFilter): number {
  return type === undefined ? sumOf(records) : records[type];
}

/** How many findings the rules have together. */
export function findingsOf(groups: readonly Pick<QualityGroup, 'findings'>[]): number {
  return groups.reduce((sum, { findings }) => sum + findings, 0);
}

export function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
