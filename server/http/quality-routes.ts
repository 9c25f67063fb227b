import { readFilter, groupings, type QualityFilter, type StoreFindings } from '../../core/app/quality.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import { csvLine } from '../../core/app/csv.ts';
import { check } from '../../core/app/check.ts';
import { StateChange } from '../../core/app/findings.ts';
import type { FindingGroups, Measures } from '../../core/app/measures.ts';
import { measureReport } from '../../core/api/measure-report.ts';
import { dayNumber, isDay } from '../../core/types/definition/dates.ts';
import { IssueCountsRequest, maxCountedIds, type IssueCountsAnswer } from '../../core/app/issue-counts.ts';
import type { Worklist, QualityService } from '../fhir/quality.ts';
import type { MeasureService } from '../fhir/measuring.ts';
import type { Changes } from '../fhir/changes.ts';
import { noSuchRecord } from '../fhir/service-errors.ts';
import { storeFindings } from '../fhir/other-records.ts';
import type { RecordService } from '../fhir/service.ts';
import type { RecordStore, SharedStore } from '../store/store.ts';
import { createJsonHandler, csvType, respondFile } from './reply.ts';
import { type ApiRequest, type Handler } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { parseJsonBody, getCheckedValue, parseBodyAs } from './body.ts';

const messages = defineMessages('quality', {
  invalidCount: 'count must be 1 to {most}.',
  invalidFilter:
    'Unknown or invalid parameter. Supported: rule, category (conformance, completeness or plausibility), severity (error or warning), type, text, state (open, assigned or waived), assignee and group (such as month:2026-11).',
  invalidBy: 'by must be record, patient, rule, source, author or month.',
  invalidAll: 'all must be true or false.',
  invalidDays: 'Send from and to, two days such as 2026-01-31.',
  invalidSpan: 'to must be the same day as from, or at most {days} days later.',
  invalidIds: 'Send a type and at most {ids} IDs.',
});

const maxFindings = 1000;
const defaultFindings = 200;

/** Creates the handlers of a worklist: pages of findings and CSV. */
export function createFindingHandlers(
  qualityOf: (request: ApiRequest) => Worklist | Promise<Worklist>,
): Readonly<Record<'findings' | 'csv', Handler>> {
  return {
    findings: createJsonHandler(async (request) => {
      const pairs = request.query;
      const findValue = (name: string) => pairs.find((pair) => pair[0] === name)?.[1];
      const filter = parseFilter(pairs.filter(([name]) => name !== 'after' && name !== 'count'));
      const count = findValue('count') ?? String(defaultFindings);
      if (!/^[1-9][0-9]{0,3}$/.test(count) || Number(count) > maxFindings) {
        throw new FhirError('value', {
          ...messages.invalidCount({ most: maxFindings }),
          location: 'http.count',
        });
      }
      return (await qualityOf(request)).findings(filter, findValue('after'), Number(count));
    }),
    async csv(request) {
      const filter = parseFilter(request.query);
      const quality = await qualityOf(request);
      return respondFile(csvType, 'quality.csv', { pieces: quality.csv(filter), isLive: true });
    },
  };
}

/**
 * Parses a filter.
 *
 * @throws FhirError `not-accepted` for an unknown name or value.
 */
export function parseFilter(pairs: readonly (readonly [string, string])[]): QualityFilter {
  const filter = readFilter(pairs);
  if (filter) return filter;
  throw new FhirError('not-accepted', messages.invalidFilter());
}

/** Limit of days in one response. */
const maxDays = 400;

/**
 * `/app/quality`: the worklist (core/app/quality.ts), states of findings, daily measures and groups
 * (core/app/measures.ts).
 */
export function createQualityRoutes(
  quality: QualityService,
  measureService: MeasureService,
  changes: Pick<Changes, 'noteFindings'>,
): readonly TableRoute[] {
  const overview = createJsonHandler((request) => quality.overview(parseFilter(request.query)));
  const { findings, csv } = createFindingHandlers(() => quality);
  const states = createJsonHandler(async (request) => {
    const {
      findings: namedFindings,
      filter,
      ...stateChange
    } = getCheckedValue(check(StateChange, parseJsonBody(request, 'FindingState')));
    const selection = namedFindings ?? parseFilter([...new URLSearchParams(filter)]);
    const result = await quality.say(selection, stateChange, request.actor);
    changes.noteFindings();
    return result;
  });
  const measures = createJsonHandler((request) => measureService.read(...readDays(request)));
  const measuresCsv: Handler = async (request) => {
    const lines = formatCsv(await measureService.read(...readDays(request)));
    return respondFile(csvType, 'measures.csv', lines);
  };
  const compareDays = createJsonHandler((request) => measureService.compare(...readDays(request)));
  const report = createJsonHandler(async (request) =>
    measureReport(await measureService.read(...readDays(request))),
  );
  const groups = createJsonHandler(async (request) => {
    const pairs = request.query;
    const groupingName = pairs.find(([name]) => name === 'by')?.[1];
    const grouping = groupings.find((candidate) => candidate === groupingName);
    if (!grouping)
      throw new FhirError('value', {
        ...messages.invalidBy(),
        location: 'http.by',
      });
    const includesAll = pairs.find(([name]) => name === 'all')?.[1] ?? 'true';
    if (includesAll !== 'true' && includesAll !== 'false')
      throw new FhirError('value', { ...messages.invalidAll(), location: 'http.all' });
    const filter = parseFilter(pairs.filter(([name]) => name !== 'by' && name !== 'all'));
    return { groups: await quality.groups(filter, grouping, includesAll === 'true') } satisfies FindingGroups;
  });
  return [
    { method: 'GET', path: '/app/quality', handler: overview },
    { method: 'GET', path: '/app/quality/findings', audit: 'search', handler: findings },
    { method: 'GET', path: '/app/quality.csv', audit: 'search', handler: csv },
    { method: 'PUT', path: '/app/quality/states', body: true, handler: states },
    { method: 'GET', path: '/app/quality/measures', handler: measures },
    { method: 'GET', path: '/app/quality/measures.csv', handler: measuresCsv },
    { method: 'GET', path: '/app/quality/compared', handler: compareDays },
    { method: 'GET', path: '/app/quality/report', handler: report },
    { method: 'GET', path: '/app/quality/groups', audit: 'search', handler: groups },
  ];
}

/**
 * Parses the two days of the query.
 *
 * @throws FhirError `value` if a day is missing, their order is wrong, or the span is too long.
 */
function readDays(request: ApiRequest): readonly [from: number, to: number] {
  const {
    from = '',
    to = '',
    ...furtherParameters
  } = Object.fromEntries(request.query) as Record<string, string>;
  if (!isDay(from) || !isDay(to) || Object.keys(furtherParameters).length > 0) {
    throw new FhirError('value', {
      ...messages.invalidDays(),
      location: 'http.from',
    });
  }
  const [firstDay, lastDay] = [dayNumber(Date.parse(from)), dayNumber(Date.parse(to))];
  if (lastDay < firstDay || lastDay - firstDay > maxDays) {
    throw new FhirError('value', {
      ...messages.invalidSpan({ days: maxDays }),
      location: 'http.to',
    });
  }
  return [firstDay, lastDay];
}

function formatCsv({ series }: Measures): string {
  const head = csvLine(['day', 'check', 'type', 'applied', 'violated', 'skipped', 'findings']);
  const rows = series.flatMap(({ check, type, points }) =>
    points.map(([day, ...counts]) => csvLine([day, check, type, ...counts])),
  );
  return head + rows.join('');
}

/**
 * `/app/quality/records/{type}/{id}`: findings of the store at a record that its text alone does not show.
 */
export function createStoreFindingRoutes(
  service: Pick<RecordService, 'current'>,
  store: Pick<SharedStore, 'readForUpdate' | 'read' | 'relations'>,
): readonly TableRoute[] {
  const handle = createJsonHandler(async (request) => {
    const { type } = request;
    const { id } = await service.current(type, request.id);
    const revision = await store.readForUpdate(type, id);
    if (!revision) throw noSuchRecord(type);
    return {
      version: revision.currentVersion.version,
      findings: await storeFindings(store, type, revision),
    } satisfies StoreFindings;
  });
  return [{ method: 'GET', path: '/app/quality/records/:type/:id', audit: 'read', handler: handle }];
}

/** `POST /app/issue-counts`: issue counts for a page of search results (core/app/issue-counts.ts). */
export function createIssueCountRoutes(store: Pick<RecordStore, 'severities'>): readonly TableRoute[] {
  const handle = createJsonHandler(async (request) => {
    const problem = messages.invalidIds({ ids: maxCountedIds });
    const countRequest = parseBodyAs(request, 'IssueCounts', IssueCountsRequest, problem);
    const severities = await store.severities(countRequest.type, countRequest.ids);
    const counts: IssueCountsAnswer = Object.fromEntries(
      severities.map(({ id, errors, warnings }) => [id, [errors, warnings]]),
    );
    return counts;
  });
  return [{ method: 'POST', path: '/app/issue-counts', body: true, handler: handle }];
}
