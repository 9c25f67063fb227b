import type { QualityFilter, QualityGroup, QualityOverview } from '../../../core/app/quality.ts';
import type { ThresholdStatus } from '../../../core/app/thresholds.ts';
import { formatPercent } from '../../ui/format.ts';
import type { Tone } from '../../ui/tone-dot.tsx';

/** The colour of a threshold's word. */
export const toneOf: Readonly<Record<ThresholdStatus, Tone>> = {
  within: 'good',
  warning: 'warning',
  failure: 'danger',
};

/** Smallest difference from 0% and from 100% that is shown. */
const least = 0.001;

/** Returns a part of a whole as a percentage: `0%` and `100%` only if they are exact. */
export function formatShare(part: number, whole: number): string {
  const share = whole === 0 ? 0 : part / whole;
  if (share > 0 && share < least) return `<${formatPercent(least)}`;
  if (share < 1 && share > 1 - least) return `>${formatPercent(1 - least)}`;
  return formatPercent(share < 0.1 || share > 0.99 ? share : Math.round(share * 100) / 100);
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
