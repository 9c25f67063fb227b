import { waivedCheck, wholeChecks, type Compared, type Measures } from '../../../core/app/measures.ts';
import { standingOf, type Standing } from '../../../core/app/thresholds.ts';
import type { DayShare } from '../../platform/measures.ts';
import { lineOf } from '../../platform/measures.ts';
import type { HeldThresholds } from '../../platform/thresholds.ts';

/** What a check came to on the last day of a period, and what became of its findings in it. */
export interface MeasureRow {
  readonly check: string;
  /** The rule's sentence. */
  readonly text: string;
  readonly line: readonly DayShare[];
  readonly applied: number;
  readonly violated: number;
  readonly skipped: number;
  readonly findings: number;
  /** Absent until the two days were compared. */
  readonly change?: { readonly new: number; readonly resolved: number; readonly persisting: number };
  /** Findings that are waived today, by rule. */
  readonly waived: number;
  readonly standing: Standing | undefined;
}

const gravity: Readonly<Record<Standing | 'none', number>> = { failure: 0, warning: 1, within: 2, none: 2 };

/** Skipped records (3) or findings (4) of these lines on the last day. */
export function lastSum(series: Measures['series'], { days }: Measures, place: 3 | 4): number {
  return series.reduce((sum, { points }) => {
    const point = points.at(-1);
    return sum + (point && point[0] === days.at(-1) ? point[place] : 0);
  }, 0);
}

/** The rules of a period, those first that stand worst: broken ones, and those that were broken when it began. */
export function measureRows(
  measures: Measures,
  compared: Compared | undefined,
  thresholds: Pick<HeldThresholds, 'of'>,
): readonly MeasureRow[] {
  const apart: ReadonlySet<string> = new Set([...wholeChecks, waivedCheck]);
  const changes = Map.groupBy(compared?.rules ?? [], ({ rule }) => rule);
  const series = Map.groupBy(measures.series, ({ check }) => check);
  const rows = [...new Set([...series.keys(), ...changes.keys()])]
    .filter((check) => !apart.has(check))
    .map((check): MeasureRow => {
      const [own = [], changed = []] = [series.get(check), changes.get(check)];
      const line = lineOf(measures, check);
      const sumOf = (place: 3 | 4) => lastSum(own, measures, place);
      const { applied = 0, violated = 0 } = line.at(-1) ?? {};
      const total = (name: 'new' | 'resolved' | 'persisting' | 'waived') =>
        changed.reduce((sum, change) => sum + change[name], 0);
      return {
        ...{ check, line, applied, violated, skipped: sumOf(3), findings: sumOf(4) },
        text: [...own, ...changed].find(({ text }) => text !== undefined)?.text ?? check,
        ...(compared && {
          change: { new: total('new'), resolved: total('resolved'), persisting: total('persisting') },
        }),
        waived: total('waived'),
        standing: standingOf(thresholds.of(check), violated, applied),
      };
    });
  return rows.toSorted(
    (one, other) =>
      gravity[one.standing ?? 'none'] - gravity[other.standing ?? 'none'] || other.violated - one.violated,
  );
}
