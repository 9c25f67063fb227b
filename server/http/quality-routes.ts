import type { Request } from 'express';
import { readFilter, type QualityFilter } from '../../core/app/quality.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { Worklist } from '../fhir/quality.ts';
import { headCsv, json } from './reply.ts';
import { pairsOf, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { writeOut } from './write-out.ts';

const mostFindings = 1000;
const usualFindings = 200;

/** Answers a worklist's findings, as pages and as CSV. */
export function findingAnswers(
  qualityOf: (request: Request) => Worklist | Promise<Worklist>,
): Readonly<Record<'findings' | 'csv', Answer>> {
  return {
    findings: json(async (request) => {
      const pairs = pairsOf(request);
      const valueOf = (name: string) => pairs.find((pair) => pair[0] === name)?.[1];
      const filter = filterOf(pairs.filter(([name]) => name !== 'after' && name !== 'count'));
      const count = valueOf('count') ?? String(usualFindings);
      if (!/^[1-9][0-9]{0,3}$/.test(count) || Number(count) > mostFindings) {
        throw new FhirError('value', { text: `count is 1 to ${mostFindings}.`, location: 'http.count' });
      }
      return (await qualityOf(request)).findings(filter, valueOf('after'), Number(count));
    }),
    async csv(request, response) {
      const filter = filterOf(pairsOf(request));
      const quality = await qualityOf(request);
      headCsv(response, 'quality.csv');
      for await (const lines of quality.csv(filter)) {
        if (response.destroyed) return;
        await writeOut(response, lines);
      }
      response.end();
    },
  };
}

/** `/app/quality`: the worklist of records with issues (core/app/quality.ts). */
export function qualityRoutes(quality: Worklist): readonly TableRoute[] {
  const overview = json((request) => quality.overview(filterOf(pairsOf(request))));
  const { findings, csv } = findingAnswers(() => quality);
  return [
    { method: 'GET', path: '/app/quality', answer: overview },
    { method: 'GET', path: '/app/quality/findings', audit: 'search', answer: findings },
    { method: 'GET', path: '/app/quality.csv', audit: 'search', answer: csv },
  ];
}

/** @throws FhirError `not-accepted` where a name or a value is not known. */
export function filterOf(pairs: readonly (readonly [string, string])[]): QualityFilter {
  const filter = readFilter(pairs);
  if (filter) return filter;
  throw new FhirError('not-accepted', {
    text: 'The worklist takes rule, category (conformance, completeness or plausibility), severity (error or warning), type, text, state (open, assigned or waived), assignee and group (such as month:2026-11).',
  });
}
