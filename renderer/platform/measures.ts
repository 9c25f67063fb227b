import { dayNumber, dayText } from '../../core/app/days.ts';
import { Compared, Measures, wholeChecks } from '../../core/app/measures.ts';
import { localDay } from '../ui/time.ts';
import { useConnection } from './connection.ts';
import { useAnswer } from './use-answer.ts';

/** Days that the lines of the Quality view show. */
export const shownDays = 90;

/** So many days before another. */
export function daysBefore(day: string, days: number): string {
  return dayText(dayNumber(Date.parse(day)) - days);
}

/** What the last days up to one came to, up to today where it is absent; of another server nothing is measured. */
export function useMeasures(days: number, last = localDay()) {
  const { name, remote } = useConnection();
  const first = daysBefore(last, days - 1);
  return useAnswer(`/quality/measures?from=${first}&to=${last}`, Measures, {
    queryKey: ['quality', name, 'measures', first, last],
    enabled: !remote,
  });
}

/** What became of findings between the ends of two days. */
export function useCompared(from: string, to: string) {
  const { name } = useConnection();
  return useAnswer(`/quality/compared?from=${from}&to=${to}`, Compared, {
    queryKey: ['quality', name, 'compared', from, to],
  });
}

/** One day of a line: records that the check applies to, and those without a finding of it in percent. */
export interface DayShare {
  readonly day: string;
  readonly applied: number;
  readonly violated: number;
  readonly share: number;
}

const isWhole: ReadonlySet<string> = new Set(wholeChecks);

/** The line of a check over all types; on a measured day without a point nothing violated it. */
export function lineOf({ days, series }: Measures, check: string): readonly DayShare[] {
  const sums = (name: string) => {
    const found = new Map<string, { applied: number; violated: number }>();
    for (const { points } of series.filter((one) => one.check === name)) {
      for (const [day, applied, violated] of points) {
        const sum = found.get(day) ?? { applied: 0, violated: 0 };
        found.set(day, { applied: sum.applied + applied, violated: sum.violated + violated });
      }
    }
    return found;
  };
  const [own, whole] = [sums(check), sums('all')];
  return days.map((day) => {
    const violated = own.get(day)?.violated ?? 0;
    const all = whole.get(day)?.applied ?? 0;
    const applied = isWhole.has(check) ? all : (own.get(day)?.applied ?? all);
    return { day, applied, violated, share: applied === 0 ? 100 : ((applied - violated) / applied) * 100 };
  });
}
