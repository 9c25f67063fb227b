/**
 * Measures quality by day: what each rule came to, once a day and whenever judging ends. Called behind the rebuilder and
 * by the routes under `/app/quality`. Invariant: counts are those that the worklist shows; no record is looked at.
 */
import type { CheckCount, Compared, MeasurePoint, Measures, MeasureSeries } from '../../core/app/measures.ts';
import { resourceTypes } from '../../core/fhir/resource.ts';
import { dayNumber, dayText } from '../../core/app/days.ts';
import { dayOf } from '../../core/derive/derive.ts';
import type { RecordStore } from '../store/store.ts';

export interface MeasuringParts {
  readonly store: Pick<RecordStore, 'issueCounts' | 'count' | 'findings'>;
  /** Now, in milliseconds since 1970. */
  readonly clock: () => number;
  /** Other checks than the program's own, whose counts stand for those of their findings. */
  readonly others?: () => Promise<readonly CheckCount[]>;
}

export type Measuring = ReturnType<typeof createMeasuring>;

export function createMeasuring({ store, clock, others = () => Promise.resolve([]) }: MeasuringParts) {
  async function counts(): Promise<CheckCount[]> {
    const { counts: broken, flagged } = await store.issueCounts({ day: dayOf(clock()) });
    const [records, byCategory, own] = await Promise.all([
      store.count(),
      store.findings.categories(),
      others(),
    ]);
    const isOther = new Set(own.map(({ check }) => check));
    const rules = broken.filter(({ rule }) => !isOther.has(rule));
    const whole = resourceTypes.map((type) => ({ check: 'all', type, violated: flagged[type] }));
    const found = [
      ...whole,
      ...byCategory,
      ...rules.map(({ rule, type, records: violated, findings }) => ({
        check: rule,
        type,
        violated,
        findings,
      })),
    ];
    return [...found.map((one) => ({ findings: 0, ...one, applied: records[one.type], skipped: 0 })), ...own];
  }

  return {
    /** Writes what today came to until now. */
    async measure(): Promise<void> {
      await store.findings.write(dayNumber(clock()), await counts());
    },

    /** What the days came to; today as it is now. */
    async read(from: number, to: number): Promise<Measures> {
      const today = dayNumber(clock());
      const kept = store.findings.read(from, Math.min(to, today - 1));
      const now = from <= today && today <= to ? (await counts()).map((one) => ({ ...one, day: today })) : [];
      const series = new Map<string, Omit<MeasureSeries, 'points'> & { readonly points: MeasurePoint[] }>();
      for (const { check, type, day, applied, violated, skipped, findings } of [...kept, ...now]) {
        const key = `${check} ${type}`;
        const one = series.get(key) ?? { check, type, points: [] };
        one.points.push([dayText(day), applied, violated, skipped, findings]);
        series.set(key, one);
      }
      const days = [...new Set([...kept, ...now].map(({ day }) => day))].map(dayText);
      return { from: dayText(from), to: dayText(to), days, series: [...series.values()] };
    },

    async compare(from: number, to: number): Promise<Compared> {
      const rules = await store.findings.compare(from, to);
      return { from: dayText(from), to: dayText(to), rules };
    },
  };
}
