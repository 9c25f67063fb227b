/**
 * features/patient shows all records of one subject. The app mounts it in a tab of its own. Invariant: it asks by the
 * bare id, which finds every form of a reference, and changes nothing.
 */
import type { SearchResult } from '../../../core/api/answers.ts';
import type { Client } from '../../../core/api/client.ts';
import { mostCounted } from '../../../core/app/issue-counts.ts';
import { listedOnce } from '../../../core/app/listed-once.ts';
import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { searchParameterOf } from '../../../core/fhir/search-parameters.ts';
import { summarise, summaryElements, type RecordSummary } from '../../../core/fhir/summary.ts';
import { stringMember } from '../../../core/json/node.ts';
import { recordTime, type WrittenTime } from '../../../core/fhir/timeline/plan-times.ts';
import { readIssueCounts } from '../../platform/issue-counts.ts';
import type { IssueCount } from '../../platform/sight.ts';

/** Records of a type that are read: two pages of the size that the search uses. */
export const mostRead = mostCounted;
const pageSize = 500;

export interface PatientRecord extends RecordSummary {
  readonly type: ResourceType;
  readonly time: WrittenTime | undefined;
  /** Undefined where the server does not tell. */
  readonly issues: IssueCount | undefined;
}

/** What is left out of a type. */
export interface Beyond {
  readonly type: ResourceType;
  readonly shown: number;
  /** Undefined where the server does not tell. */
  readonly total: number | undefined;
}

export interface PatientRecords {
  /** The newest first; those without a date last. */
  readonly records: readonly PatientRecord[];
  readonly beyond: readonly Beyond[];
}

/** Reads the records of a subject, of each type up to {@link mostRead}; issues are counted where `counted`. */
export async function readRecords(client: Client, id: string, counted: boolean): Promise<PatientRecords> {
  const types = resourceTypes.filter((type) => searchParameterOf(type, 'subject'));
  const all = await Promise.all(types.map((type) => readType(client, type, id, counted)));
  const records = all.flatMap((one) => one.records);
  return {
    records: records.toSorted((one, other) => sortKey(other).localeCompare(sortKey(one))),
    beyond: all.flatMap(({ beyond }) => beyond),
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
  const list = listedOnce<SearchResult['records'][number]>(({ node }) => stringMember(node, 'id') ?? '');
  const found = list.take(page.records);
  while (page.next !== undefined && page.records.length > 0 && found.length < mostRead) {
    page = await client.nextPage(type, page.next);
    found.push(...list.take(page.records));
  }
  const shown = found.slice(0, mostRead);
  const summaries = shown.map(({ node }) => ({ ...summarise(node), type, time: recordTime(node) }));
  const ids = summaries.map((one) => one.id);
  const counts = counted && ids.length > 0 ? await readIssueCounts(client, type, ids) : undefined;
  const records = summaries.map((one): PatientRecord => {
    const [errors, warnings] = counts?.[one.id] ?? [0, 0];
    return { ...one, issues: counts && { errors, warnings } };
  });
  const more = page.next !== undefined || found.length > shown.length;
  const beyond: Beyond = { type, shown: shown.length, total: atLeast ? undefined : total };
  return { records, beyond: more ? [beyond] : [] };
}
