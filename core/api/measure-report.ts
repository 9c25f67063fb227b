import { wholeChecks, type Measures } from '../app/measures.ts';

const population = (code: string, count: number) => ({
  code: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/measure-population', code }] },
  count,
});

const ofWhole: ReadonlySet<string> = new Set(wholeChecks);

/** A MeasureReport (FHIR R4 measurereport.html) of the last measured day: for each check who it applies to and passes. */
export function measureReport({ from, to, days, series }: Measures): object {
  const day = days.at(-1);
  const group = series.flatMap(({ check, type, points }) => {
    const last = points.at(-1);
    if (!last || last[0] !== day) return [];
    const [, applied, violated] = last;
    return [
      {
        code: { text: `${ofWhole.has(check) ? `${check} checks` : check}, ${type}` },
        population: [population('denominator', applied), population('numerator', applied - violated)],
        ...(applied > 0 && {
          measureScore: { value: Math.round(((applied - violated) / applied) * 1e6) / 1e6 },
        }),
      },
    ];
  });
  return {
    resourceType: 'MeasureReport',
    status: 'complete',
    type: 'summary',
    measure: 'urn:chartkeeper:quality',
    date: day ?? to,
    period: { start: day ?? from, end: day ?? to },
    ...(group.length > 0 && { group }),
  };
}
