import type { QualityFilter, QualityGroup, QualityOverview } from '../../../core/app/quality.ts';
import type { ThresholdStatus } from '../../../core/app/thresholds.ts';
import { formatPercent } from '../../ui/format.ts';
import type { Tone } from '../../ui/tone-dot.tsx';

/** Color of a threshold status. */
export const toneOf: Readonly<Record<ThresholdStatus, Tone>> = {
  within: 'good',
  warning: 'warning',
  failure: 'danger',
};

/** Smallest difference from 0% and from 100% that is shown. */
const minShare = 0.001;

/** Formats a part of a total as a percentage: `0%` and `100%` only if they are exact. */
export function formatShare(part: number, total: number): string {
  const share = total === 0 ? 0 : part / total;
  if (share > 0 && share < minShare) return `<${formatPercent(minShare)}`;
  if (share < 1 && share > 1 - minShare) return `>${formatPercent(1 - minShare)}`;
  return formatPercent(share < 0.1 || share > 0.99 ? share : Math.round(share * 100) / 100);
}

/** Returns the number of records of the filtered type, or of all types. */
export function countRecords({ records }: Pick<QualityOverview, 'records'>, { type }: QualityFilter): number {
  return type === undefined ? sumCounts(records) : records[type];
}

/** Returns the number of findings of all groups. */
export function sumFindings(groups: readonly Pick<QualityGroup, 'findings'>[]): number {
  return groups.reduce((sum, { findings }) => sum + findings, 0);
}

export function sumCounts(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
