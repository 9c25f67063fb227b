import { useQuery } from '@tanstack/react-query';
import { narrow } from '../../core/api/narrow.ts';
import { dayNumber, dayText } from '../../core/app/days.ts';
import { Measures } from '../../core/app/measures.ts';
import { localDay } from '../ui/time.ts';
import { useConnection } from './connection.ts';

/** What the last days came to; of another server nothing is measured. */
export function useMeasures(days: number) {
  const { client, name, remote } = useConnection();
  const to = dayNumber(Date.parse(localDay()));
  const [first, last] = [dayText(to - days + 1), dayText(to)];
  return useQuery({
    queryKey: ['quality', name, 'measures', first, last],
    queryFn: async () =>
      narrow(await client.app('GET', `/quality/measures?from=${first}&to=${last}`), Measures),
    enabled: !remote,
  });
}

/** One day of a line: records without a finding of the check, in percent. */
export interface DayShare {
  readonly day: string;
  readonly violated: number;
  readonly share: number;
}

/** The line of a check over both types; on a measured day without a point nothing violated it. */
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
    const applied = whole.get(day)?.applied ?? 0;
    return { day, violated, share: applied === 0 ? 100 : ((applied - violated) / applied) * 100 };
  });
}
