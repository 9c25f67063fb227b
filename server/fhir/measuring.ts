/**
 * Measures quality by day: what each rule came to, once a day and whenever judging ends. Called behind the rebuilder and
 * by the routes under `/app/quality`. Invariant: counts are those that the worklist shows; no record is looked at.
 */
import type { CheckCount, Compared, MeasurePoint, Measures, MeasureSeries } from '../../core/app/measures.ts';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { dayNumber, dayText } from '../../core/app/days.ts';
import { dayOf } from '../../core/derive/derive.ts';
import type { SharedStore } from '../store/store.ts';
import { sentenceOf } from './rule-sentences.ts';

/** Which records a check applies to, and, where no rule of its name tells it, what it came to. */
export type AppliedCheck = Pick<CheckCount, 'check' | 'type' | 'applied' | 'skipped'> &
  Partial<Pick<CheckCount, 'violated' | 'findings'>>;

export interface MeasuringParts {
  readonly store: Pick<SharedStore, 'issueCounts' | 'count' | 'findings'>;
  /** Now, in milliseconds since 1970. */
  readonly clock: () => number;
  /** Sentences of rules that are not the program's own. */
  readonly sentences?: () => ReadonlyMap<string, string>;
  /** Checks that do not apply to every record of their type, or could not be asked of some. */
  readonly others?: () => Promise<readonly AppliedCheck[]>;
}

export type Measuring = ReturnType<typeof createMeasuring>;

export function createMeasuring(parts: MeasuringParts) {
  const { store, clock, sentences, others = () => Promise.resolve([]) } = parts;

  async function counts(): Promise<CheckCount[]> {
    const day = dayOf(clock());
    const [{ counts: broken, open, flagged }, records, wholes, own] = await Promise.all([
      store.issueCounts({ state: 'open', day }),
      store.count(),
      store.findings.wholes(day),
      others(),
    ]);
    const findingsOf = (of: ResourceType) =>
      broken.reduce((sum, { type, findings }) => sum + (type === of ? findings : 0), 0);
    const nameOf = ({ check, type }: Pick<CheckCount, 'check' | 'type'>) => `${check} ${type}`;
    const found = new Map(
      [
        ...own.map(({ check, type, violated = 0, findings = 0 }) => ({ check, type, violated, findings })),
        ...resourceTypes.map((type) => ({
          ...{ check: 'all', type, violated: (open ?? flagged)[type], findings: findingsOf(type) },
        })),
        ...wholes,
        ...broken.map(({ rule, type, records: violated, findings }) => ({
          ...{ check: rule, type, violated, findings },
        })),
      ].map((one) => [nameOf(one), one]),
    );
    const asked = new Map(own.map((one) => [nameOf(one), one]));
    return [...found].map(([name, one]) => {
      const { applied = records[one.type], skipped = 0 } = asked.get(name) ?? {};
      return { ...one, applied, skipped };
    });
  }

  function saidBy(check: string): { readonly text?: string } {
    const text = sentenceOf(check, sentences?.());
    return text === check ? {} : { text };
  }

  return {
    /** Writes what today came to until now. */
    async measure(): Promise<void> {
      await store.findings.write(dayNumber(clock()), await counts());
    },

    /** What the days came to; today as it is now. */
    async read(from: number, to: number): Promise<Measures> {
      const today = dayNumber(clock());
      const kept = await store.findings.read(from, Math.min(to, today - 1));
      const now = from <= today && today <= to ? (await counts()).map((one) => ({ ...one, day: today })) : [];
      const series = new Map<string, Omit<MeasureSeries, 'points'> & { readonly points: MeasurePoint[] }>();
      for (const { check, type, day, applied, violated, skipped, findings } of [...kept, ...now]) {
        const key = `${check} ${type}`;
        const one = series.get(key) ?? { check, type, ...saidBy(check), points: [] };
        one.points.push([dayText(day), applied, violated, skipped, findings]);
        series.set(key, one);
      }
      const days = [...new Set([...kept, ...now].map(({ day }) => day))].map(dayText);
      return { from: dayText(from), to: dayText(to), days, series: [...series.values()] };
    },

    async compare(from: number, to: number): Promise<Compared> {
      const rules = await store.findings.compare(from, to, dayOf(clock()));
      return {
        ...{ from: dayText(from), to: dayText(to) },
        rules: rules.map((change) => ({ ...change, ...saidBy(change.rule) })),
      };
    },
  };
}
