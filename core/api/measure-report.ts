import { wholeChecks, type Measures } from '../app/measures.ts';

const population = (code: string, count: number) => ({
  code: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/measure-population', code }] },
  count,
});

const overallChecks: ReadonlySet<string> = new Set(wholeChecks);

/**
 * Returns a MeasureReport (FHIR R4 measurereport.html) of the last measured day, with applied and passed
 * records by check.
 */
export function measureReport({ from, to, days, series }: Measures): object {
  const day = days.at(-1);
  const group = series.flatMap(({ check, type, points }) => {
    const lastPoint = points.at(-1);
    if (!lastPoint || lastPoint[0] !== day) return [];
    const [, appliedCount, violatedCount] = lastPoint;
    return [
      {
        code: { text: `${overallChecks.has(check) ? `${check} checks` : check}, ${type}` },
        population: [
          population('denominator', appliedCount),
          population('numerator', appliedCount - violatedCount),
        ],
        ...(appliedCount > 0 && {
          measureScore: { value: Math.round(((appliedCount - violatedCount) / appliedCount) * 1e6) / 1e6 },
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
