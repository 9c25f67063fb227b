import { waivedCheck, wholeChecks, type FindingTrend, type Measures } from '../../../core/app/measures.ts';
import { getThresholdStatus, type ThresholdStatus } from '../../../core/app/thresholds.ts';
import type { DayShare } from '../../platform/measures.ts';
import { lineOf } from '../../platform/measures.ts';
import type { StoredThresholds } from '../../platform/thresholds.ts';

/** Counts of a check on the last day of a period, and the changes of its findings within the period. */
export interface MeasureRow {
  readonly check: string;
  readonly text: string;
  readonly line: readonly DayShare[];
  readonly applied: number;
  readonly violationCount: number;
  readonly skippedCount: number;
  readonly findings: number;
  /** Undefined until the two days are compared. */
  readonly change?: { readonly new: number; readonly resolved: number; readonly persisting: number };
  /** Findings that are waived today, of this rule. */
  readonly waivedCount: number;
  readonly status: ThresholdStatus | undefined;
}

const statusOrder: Readonly<Record<ThresholdStatus | 'none', number>> = {
  failure: 0,
  warning: 1,
  within: 2,
  none: 2,
};

/** Returns the sum of skipped records (3) or findings (4) of these series on the last day. */
export function lastSum(series: Measures['series'], { days }: Measures, place: 3 | 4): number {
  return series.reduce((sum, { points }) => {
    const point = points.at(-1);
    return sum + (point && point[0] === days.at(-1) ? point[place] : 0);
  }, 0);
}

/** Returns the rules of a period, worst first: current violations, and rules that were violated at its start. */
export function measureRows(
  measures: Measures,
  trend: FindingTrend | undefined,
  thresholds: Pick<StoredThresholds, 'get'>,
): readonly MeasureRow[] {
  const excludedChecks: ReadonlySet<string> = new Set([...wholeChecks, waivedCheck]);
  const changes = Map.groupBy(trend?.rules ?? [], ({ rule }) => rule);
  const series = Map.groupBy(measures.series, ({ check }) => check);
  const rows = [...new Set([...series.keys(), ...changes.keys()])]
    .filter((check) => !excludedChecks.has(check))
    .map((check): MeasureRow => {
      const [checkSeries = [], checkChanges = []] = [series.get(check), changes.get(check)];
      const line = lineOf(measures, check);
      const sumOf = (place: 3 | 4) => lastSum(checkSeries, measures, place);
      const { applied = 0, violatedCount: violationCount = 0 } = line.at(-1) ?? {};
      const total = (name: 'new' | 'resolved' | 'persisting' | 'waived') =>
        checkChanges.reduce((sum, change) => sum + change[name], 0);
      return {
        check,
        line,
        applied,
        violationCount,
        skippedCount: sumOf(3),
        findings: sumOf(4),
        text: [...checkSeries, ...checkChanges].find(({ text }) => text !== undefined)?.text ?? check,
        ...(trend && {
          change: { new: total('new'), resolved: total('resolved'), persisting: total('persisting') },
        }),
        waivedCount: total('waived'),
        status: getThresholdStatus(thresholds.get(check), violationCount, applied),
      };
    });
  return rows.toSorted(
    (a, b) =>
      statusOrder[a.status ?? 'none'] - statusOrder[b.status ?? 'none'] ||
      b.violationCount - a.violationCount,
  );
}
