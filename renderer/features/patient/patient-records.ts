/**
 * features/patient shows all records of one subject. The app mounts it in a tab of its own. Invariant: it searches by
 * the bare ID, which matches every form of a reference, and changes nothing.
 */
import type { SearchResult } from '../../../core/api/answers.ts';
import type { Client } from '../../../core/api/client.ts';
import { maxCountedIds } from '../../../core/app/issue-counts.ts';
import { createDuplicateFilter } from '../../../core/app/duplicate-filter.ts';
import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { searchParameterOf } from '../../../core/fhir/search-parameters.ts';
import { summarize, summaryElements, type RecordSummary } from '../../../core/fhir/summary.ts';
import { stringMember } from '../../../core/json/node.ts';
import { recordTime, type WrittenTime } from '../../../core/fhir/timeline/plan-times.ts';
import { readIssueCounts } from '../../platform/issue-counts.ts';
import type { IssueCount } from '../../platform/visible-row-issues.ts';

/** Maximum number of records per type: two pages of the search. */
export const maxRead = maxCountedIds;
const pageSize = 500;

export interface PatientRecord extends RecordSummary {
  readonly type: ResourceType;
  readonly time: WrittenTime | undefined;
  /** Undefined if the server does not count issues. */
  readonly issues: IssueCount | undefined;
}

/** Records of a type that are not included. */
export interface OmittedRecords {
  readonly type: ResourceType;
  readonly visibleCount: number;
  /** Undefined if the server returns no total. */
  readonly total: number | undefined;
}

export interface PatientRecords {
  /** Latest first; records without a date last. */
  readonly records: readonly PatientRecord[];
  readonly beyond: readonly OmittedRecords[];
}

/** Reads the records of a subject, of each type up to {@link maxRead}. Counts issues if `counted`. */
export async function readRecords(client: Client, id: string, counted: boolean): Promise<PatientRecords> {
  const types = resourceTypes.filter((type) => searchParameterOf(type, 'subject'));
  const results = await Promise.all(types.map((type) => readType(client, type, id, counted)));
  const records = results.flatMap((result) => result.records);
  return {
    records: records.toSorted((a, b) => sortKey(b).localeCompare(sortKey(a))),
    beyond: results.flatMap(({ beyond }) => beyond),
  };
}

function sortKey({ time }: PatientRecord): string {
  return time?.start ?? time?.end ?? '';
}

async function readType(client: Client, type: ResourceType, id: string, counted: boolean) {
  let page = await client.search(type, [
    ['subject', id],
    ['_elements', summaryElements(type).join(',')],
    ['_count', String(pageSize)],
  ]);
  const { total, atLeast } = page;
  const list = createDuplicateFilter<SearchResult['records'][number]>(
    ({ node }) => stringMember(node, 'id') ?? '',
  );
  const matches = list.dropDuplicates(page.records);
  while (page.next !== undefined && page.records.length > 0 && matches.length < maxRead) {
    page = await client.nextPage(type, page.next);
    matches.push(...list.dropDuplicates(page.records));
  }
  const visibleMatches = matches.slice(0, maxRead);
  const summaries = visibleMatches.map(({ node }) => ({ ...summarize(node), type, time: recordTime(node) }));
  const ids = summaries.map((summary) => summary.id);
  const counts = counted && ids.length > 0 ? await readIssueCounts(client, type, ids) : undefined;
  const records = summaries.map((summary): PatientRecord => {
    const [errors, warnings] = counts?.[summary.id] ?? [0, 0];
    return { ...summary, issues: counts && { errors, warnings } };
  });
  const hasMore = page.next !== undefined || matches.length > visibleMatches.length;
  const beyond: OmittedRecords = {
    type,
    visibleCount: visibleMatches.length,
    total: atLeast ? undefined : total,
  };
  return { records, beyond: hasMore ? [beyond] : [] };
}
