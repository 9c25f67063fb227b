import { dayNumber, dayText } from '../../core/types/definition/dates.ts';
import { FindingTrend, Measures, wholeChecks } from '../../core/app/measures.ts';
import { localDay } from '../ui/time.ts';
import { useConnection } from './connection.ts';
import { useAppQuery } from './use-answer.ts';

/** Days that the Quality view shows. */
export const visibleDays = 90;

/** Returns the day that lies `days` days before another. */
export function daysBefore(day: string, days: number): string {
  return dayText(dayNumber(Date.parse(day)) - days);
}

/** Returns the measures of the last days up to `last`, by default today. Another server has no measures. */
export function useMeasures(days: number, lastDay = localDay()) {
  const { name, remote } = useConnection();
  const firstDay = daysBefore(lastDay, days - 1);
  return useAppQuery(`/quality/measures?from=${firstDay}&to=${lastDay}`, Measures, {
    queryKey: ['quality', name, 'measures', firstDay, lastDay],
    enabled: !remote,
  });
}

/** Returns the findings that opened and closed between the ends of two days. */
export function useCompared(from: string, to: string) {
  const { name } = useConnection();
  return useAppQuery(`/quality/compared?from=${from}&to=${to}`, FindingTrend, {
    queryKey: ['quality', name, 'compared', from, to],
  });
}

/** One day of a line: the records that the check applies to, and the share without a finding in percent. */
export interface DayShare {
  readonly day: string;
  readonly applied: number;
  readonly violatedCount: number;
  readonly share: number;
}

const wholeCheckNames: ReadonlySet<string> = new Set(wholeChecks);

/** Returns the line of a check over all types. A measured day without a point has no violations. */
export function lineOf({ days, series }: Measures, check: string): readonly DayShare[] {
  const sums = (name: string) => {
    const sumsByDay = new Map<string, { applied: number; violatedCount: number }>();
    for (const { points } of series.filter((line) => line.check === name)) {
      for (const [day, applied, violatedCount] of points) {
        const sum = sumsByDay.get(day) ?? { applied: 0, violatedCount: 0 };
        sumsByDay.set(day, {
          applied: sum.applied + applied,
          violatedCount: sum.violatedCount + violatedCount,
        });
      }
    }
    return sumsByDay;
  };
  const [checkSums, totalSums] = [sums(check), sums('all')];
  return days.map((day) => {
    const violatedCount = checkSums.get(day)?.violatedCount ?? 0;
    const totalApplied = totalSums.get(day)?.applied ?? 0;
    const applied = wholeCheckNames.has(check) ? totalApplied : (checkSums.get(day)?.applied ?? totalApplied);
    return {
      day,
      applied,
      violatedCount,
      share: applied === 0 ? 100 : ((applied - violatedCount) / applied) * 100,
    };
  });
}
