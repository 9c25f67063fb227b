import type { Request } from 'express';
import { readFilter, groupings, type QualityFilter, type StoreFindings } from '../../core/app/quality.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { csvLine } from '../../core/app/csv.ts';
import { check } from '../../core/app/check.ts';
import { StateChange } from '../../core/app/findings.ts';
import type { FindingGroups, Measures } from '../../core/app/measures.ts';
import { measureReport } from '../../core/api/measure-report.ts';
import { dayNumber, isDay } from '../../core/app/days.ts';
import { IssueCountsRequest, mostCounted, type IssueCountsAnswer } from '../../core/app/issue-counts.ts';
import type { Worklist, QualityService } from '../fhir/quality.ts';
import type { Measuring } from '../fhir/measuring.ts';
import type { Changes } from '../fhir/changes.ts';
import { noSuchRecord } from '../fhir/faults.ts';
import { storeFindings } from '../fhir/other-records.ts';
import type { RecordService } from '../fhir/service.ts';
import type { RecordStore, SharedStore } from '../store/store.ts';
import { headCsv, json } from './reply.ts';
import { idOf, pairsOf, typeOf, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { writeOut } from './write-out.ts';
import { doerOf } from './access.ts';
import { jsonBody, valueOf, bodyOf } from './body.ts';

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

/** @throws FhirError `not-accepted` where a name or a value is not known. */
export function filterOf(pairs: readonly (readonly [string, string])[]): QualityFilter {
  const filter = readFilter(pairs);
  if (filter) return filter;
  throw new FhirError('not-accepted', {
    text: 'The worklist takes rule, category (conformance, completeness or plausibility), severity (error or warning), type, text, state (open, assigned or waived), assignee and group (such as month:2026-11).',
  });
}

/** Days of one answer, at most. */
const mostDays = 400;

/**
 * `/app/quality`: the worklist of records with issues (core/app/quality.ts), what people say of findings, quality by day, and
 * findings in groups (core/app/measures.ts).
 */
export function qualityRoutes(
  quality: QualityService,
  measuring: Measuring,
  changes: Pick<Changes, 'noteFindings'>,
): readonly TableRoute[] {
  const overview = json((request) => quality.overview(filterOf(pairsOf(request))));
  const { findings, csv } = findingAnswers(() => quality);
  const states = json(async (request, response) => {
    const {
      findings: named,
      filter,
      ...said
    } = valueOf(check(StateChange, jsonBody(request, 'FindingState')));
    const which = named ?? filterOf([...new URLSearchParams(filter)]);
    const changed = await quality.say(which, said, doerOf(response));
    changes.noteFindings();
    return changed;
  });
  const measures = json((request) => measuring.read(...daysOf(request)));
  const measuresCsv: Answer = async (request, response) => {
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
    { method: 'GET', path: '/app/quality', answer: overview },
    { method: 'GET', path: '/app/quality/findings', audit: 'search', answer: findings },
    { method: 'GET', path: '/app/quality.csv', audit: 'search', answer: csv },
    { method: 'PUT', path: '/app/quality/states', body: true, answer: states },
    { method: 'GET', path: '/app/quality/measures', answer: measures },
    { method: 'GET', path: '/app/quality/measures.csv', answer: measuresCsv },
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

/** `/app/quality/records/{type}/{id}`: what the store finds at a record and its text alone does not tell. */
export function storeFindingRoutes(
  service: Pick<RecordService, 'current'>,
  store: Pick<SharedStore, 'revision' | 'read' | 'relations'>,
): readonly TableRoute[] {
  const answer = json(async (request) => {
    const type = typeOf(request);
    const { id } = await service.current(type, idOf(request));
    const revision = await store.revision(type, id);
    if (!revision) throw noSuchRecord(type);
    return {
      version: revision.standing.version,
      findings: await storeFindings(store, type, revision),
    } satisfies StoreFindings;
  });
  return [{ method: 'GET', path: '/app/quality/records/:type/:id', audit: 'read', answer }];
}

/** `POST /app/issue-counts`: the quality column of a page of results (core/app/issue-counts.ts). */
export function issueCountRoutes(store: Pick<RecordStore, 'severities'>): readonly TableRoute[] {
  const answer = json(async (request) => {
    const asked = bodyOf(request, 'IssueCounts', IssueCountsRequest, {
      text: `Send a type and at most ${mostCounted} ids.`,
    });
    const counted = await store.severities(asked.type, asked.ids);
    const counts: IssueCountsAnswer = Object.fromEntries(
      counted.map(({ id, errors, warnings }) => [id, [errors, warnings]]),
    );
    return counts;
  });
  return [{ method: 'POST', path: '/app/issue-counts', body: true, answer }];
}
