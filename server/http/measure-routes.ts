import type { Request } from 'express';
import { csvLine } from '../../core/app/csv.ts';
import { check } from '../../core/app/check.ts';
import { StateChange } from '../../core/app/findings.ts';
import type { FindingGroups, Measures } from '../../core/app/measures.ts';
import { groupings } from '../../core/app/quality.ts';
import { measureReport } from '../../core/api/measure-report.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { Measuring } from '../fhir/measuring.ts';
import type { QualityService } from '../fhir/quality.ts';
import { dayNumber, isDay } from '../../core/app/days.ts';
import { doerOf } from './access.ts';
import { jsonBody, valueOf } from './body.ts';
import { filterOf } from './quality-routes.ts';
import { headCsv, json } from './reply.ts';
import { pairsOf, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

interface MeasureRouteParts {
  readonly quality: QualityService;
  readonly measuring: Measuring;
  readonly readBody: Answer;
}

/** Days of one answer, at most. */
const mostDays = 400;

/** `/app/quality/…`: what people say of findings, quality by day, and findings in groups (core/app/measures.ts). */
export function measureRoutes({ quality, measuring, readBody }: MeasureRouteParts): readonly TableRoute[] {
  const states = json((request, response) => {
    const { findings, filter, ...said } = valueOf(check(StateChange, jsonBody(request, 'FindingState')));
    return quality.say(findings ?? filterOf([...new URLSearchParams(filter)]), said, doerOf(response));
  });
  const measures = json((request) => measuring.read(...daysOf(request)));
  const csv: Answer = async (request, response) => {
    const lines = linesOf(await measuring.read(...daysOf(request)));
    headCsv(response, 'measures.csv');
    response.end(lines);
  };
  const compared = json((request) => measuring.compare(...daysOf(request)));
  const report = json(async (request) => measureReport(await measuring.read(...daysOf(request))));
  const groups = json(async (request) => {
    const pairs = pairsOf(request);
    const asked = pairs.find(([name]) => name === 'by')?.[1];
    const by = groupings.find((one) => one === asked);
    if (!by)
      throw new FhirError('value', {
        text: 'by is record, patient, rule, source, author or month.',
        location: 'http.by',
      });
    const sized = pairs.find(([name]) => name === 'all')?.[1] ?? 'true';
    if (sized !== 'true' && sized !== 'false')
      throw new FhirError('value', { text: 'all is true or false.', location: 'http.all' });
    const filter = filterOf(pairs.filter(([name]) => name !== 'by' && name !== 'all'));
    return { groups: await quality.groups(filter, by, sized === 'true') } satisfies FindingGroups;
  });
  return [
    { method: 'PUT', path: '/app/quality/states', readBody, answer: states },
    { method: 'GET', path: '/app/quality/measures', answer: measures },
    { method: 'GET', path: '/app/quality/measures.csv', answer: csv },
    { method: 'GET', path: '/app/quality/compared', answer: compared },
    { method: 'GET', path: '/app/quality/report', answer: report },
    { method: 'GET', path: '/app/quality/groups', audit: 'search', answer: groups },
  ];
}

/** @throws FhirError `value` where the query has no two days in their order, or too many between. */
function daysOf(request: Request): readonly [from: number, to: number] {
  const { from = '', to = '', ...others } = Object.fromEntries(pairsOf(request)) as Record<string, string>;
  if (!isDay(from) || !isDay(to) || Object.keys(others).length > 0) {
    throw new FhirError('value', {
      text: 'Send from and to, two days such as 2026-01-31.',
      location: 'http.from',
    });
  }
  const [first, last] = [dayNumber(Date.parse(from)), dayNumber(Date.parse(to))];
  if (last < first || last - first > mostDays) {
    throw new FhirError('value', {
      text: `to is the day of from, or at most ${mostDays} days later.`,
      location: 'http.to',
    });
  }
  return [first, last];
}

function linesOf({ series }: Measures): string {
  const head = csvLine(['day', 'check', 'type', 'applied', 'violated', 'skipped', 'findings']);
  const rows = series.flatMap(({ check, type, points }) =>
    points.map(([day, ...counts]) => csvLine([day, check, type, ...counts])),
  );
  return head + rows.join('');
}
