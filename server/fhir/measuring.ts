/**
 * Measures quality by day: the counts of each rule, once a day and after validation. Called after the rebuilder and by
 * the routes under `/app/quality`. Invariant: the counts are equal to the counts of the worklist, and no record is
 * read.
 */
import type {
  CheckCount,
  FindingTrend,
  MeasurePoint,
  Measures,
  MeasureSeries,
} from '../../core/app/measures.ts';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { dayNumber, dayText } from '../../core/types/definition/dates.ts';
import { dayOf } from '../../core/derive/derive.ts';
import type { SharedStore } from '../store/store.ts';
import { formatMessage } from './rule-sentences.ts';

/** Number of records that a check applies to, with its findings if no rule of the same name counts them. */
export type AppliedCheck = Pick<CheckCount, 'check' | 'type' | 'applied' | 'skipped'> &
  Partial<Pick<CheckCount, 'violated' | 'findings'>>;

export interface MeasuringParts {
  readonly store: Pick<SharedStore, 'issueCounts' | 'count' | 'findings'>;
  /** Now, in milliseconds since 1970. */
  readonly clock: () => number;
  /** Sentences of rules that are not the program's own. */
  readonly sentences?: () => ReadonlyMap<string, string>;
  /** Checks that do not apply to every record of their type, or could not run on some. */
  readonly listAppliedChecks?: () => Promise<readonly AppliedCheck[]>;
}

export type MeasureService = ReturnType<typeof createMeasures>;

export function createMeasures(dependencies: MeasuringParts) {
  const { store, clock, sentences, listAppliedChecks = () => Promise.resolve([]) } = dependencies;

  async function counts(): Promise<CheckCount[]> {
    const day = dayOf(clock());
    const [{ counts: brokenRules, open, flagged: flaggedRecords }, records, wholes, appliedChecks] =
      await Promise.all([
        store.issueCounts({ state: 'open', day }),
        store.count(),
        store.findings.wholes(day),
        listAppliedChecks(),
      ]);
    const findingsOf = (resourceType: ResourceType) =>
      brokenRules.reduce((sum, { type, findings }) => sum + (type === resourceType ? findings : 0), 0);
    const nameOf = ({ check, type }: Pick<CheckCount, 'check' | 'type'>) => `${check} ${type}`;
    const countsByName = new Map(
      [
        ...appliedChecks.map(({ check, type, violated: violatedRecords = 0, findings = 0 }) => ({
          check,
          type,
          violated: violatedRecords,
          findings,
        })),
        ...resourceTypes.map((type) => ({
          check: 'all',
          type,
          violated: (open ?? flaggedRecords)[type],
          findings: findingsOf(type),
        })),
        ...wholes,
        ...brokenRules.map(({ rule, type, records: violatedRecords, findings }) => ({
          check: rule,
          type,
          violated: violatedRecords,
          findings,
        })),
      ].map((checkCount) => [nameOf(checkCount), checkCount]),
    );
    const appliedByName = new Map(appliedChecks.map((checkCount) => [nameOf(checkCount), checkCount]));
    return [...countsByName].map(([name, checkCount]) => {
      const { applied = records[checkCount.type], skipped: skippedRecords = 0 } =
        appliedByName.get(name) ?? {};
      return { ...checkCount, applied, skipped: skippedRecords };
    });
  }

  function describeCheck(check: string): { readonly text?: string } {
    const text = formatMessage(check, sentences?.());
    return text === check ? {} : { text };
  }

  return {
    /** Writes the counts of today up to now. */
    async measure(): Promise<void> {
      await store.findings.write(dayNumber(clock()), await counts());
    },

    /** Returns the counts of the days. Today's are current. */
    async read(from: number, to: number): Promise<Measures> {
      const today = dayNumber(clock());
      const storedPoints = await store.findings.read(from, Math.min(to, today - 1));
      const now =
        from <= today && today <= to
          ? (await counts()).map((checkCount) => ({ ...checkCount, day: today }))
          : [];
      const series = new Map<string, Omit<MeasureSeries, 'points'> & { readonly points: MeasurePoint[] }>();
      for (const {
        check,
        type,
        day,
        applied,
        violated: violatedRecords,
        skipped: skippedRecords,
        findings,
      } of [...storedPoints, ...now]) {
        const key = `${check} ${type}`;
        const checkSeries = series.get(key) ?? { check, type, ...describeCheck(check), points: [] };
        checkSeries.points.push([dayText(day), applied, violatedRecords, skippedRecords, findings]);
        series.set(key, checkSeries);
      }
      const days = [...new Set([...storedPoints, ...now].map(({ day }) => day))].map(dayText);
      return { from: dayText(from), to: dayText(to), days, series: [...series.values()] };
    },

    async compare(from: number, to: number): Promise<FindingTrend> {
      const rules = await store.findings.compare(from, to, dayOf(clock()));
      return {
        from: dayText(from),
        to: dayText(to),
        rules: rules.map((change) => ({ ...change, ...describeCheck(change.rule) })),
      };
    },
  };
}
