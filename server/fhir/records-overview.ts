import { setImmediate } from 'node:timers/promises';
import { authorshipIn } from '../../core/app/authorship.ts';
import {
  overviewLimits,
  type OverviewChange,
  type OverviewPatient,
  type RecordsOverview,
} from '../../core/app/overview.ts';
import { maxValues } from '../../core/app/facets.ts';
import { facetOf } from '../../core/fhir/facet.ts';
import { definitionOf, perType, resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { readCriteria } from '../../core/fhir/search.ts';
import { summarize } from '../../core/fhir/summary.ts';
import { scan } from '../../core/json/scan.ts';
import type { SharedStore, SubjectRow, VersionSummary, WriterHead } from '../store/store.ts';

type Store = Pick<
  SharedStore,
  'facet' | 'count' | 'versionSummaries' | 'listLatestSubjects' | 'read' | 'search'
>;

/** Records of a patient that are read for its name. */
const namedWriters = 3;

/** Returns the overview of the records. Other requests run between its parts. */
export async function recordsOverview(store: Store, since: string): Promise<RecordsOverview> {
  const counts = await store.count();
  const statuses = perType((): Record<string, number> => ({}));
  for (const type of resourceTypes) statuses[type] = await statusesOf(store, type, counts[type]);
  const changes = await changedSince(store, since);
  const patients: OverviewPatient[] = [];
  for (const subject of await store.listLatestSubjects(overviewLimits.patients)) {
    patients.push(await patientOf(store, subject));
    await setImmediate();
  }
  return { statuses, changed: changes, patients };
}

/** Counts the records of a type by status. Records without a status have an empty name. */
async function statusesOf(
  store: Store,
  type: ResourceType,
  recordCount: number,
): Promise<Record<string, number>> {
  const name = Object.entries(definitionOf(type).sort).find(([, value]) => value === 'status')?.[0] ?? '';
  const facet = facetOf(type, name);
  const { values } = facet ? await store.facet(readCriteria(type, []), facet, maxValues) : { values: [] };
  const counts = values.flatMap(({ value, count }) =>
    value.kind === 'token' ? [[value.code, count] as const] : [],
  );
  const withoutStatus = recordCount - counts.reduce((sum, [, count]) => sum + count, 0);
  return Object.fromEntries([...counts, ...(withoutStatus > 0 ? [['', withoutStatus] as const] : [])]);
}

/** Returns the changes since an instant by author and operation. Its counts include everything written. */
async function changedSince(store: Store, since: string): Promise<RecordsOverview['changed']> {
  const records = await store.versionSummaries.countChanged(since);
  const writers = await store.versionSummaries.writers(since, overviewLimits.writers);
  const newest = await store.versionSummaries.newest(since, overviewLimits.versions);
  const lines = writers.flatMap((writer) =>
    writer.records > maxSeparateLines ? [writer] : linesOf(writer, newest),
  );
  lines.sort((a, b) => (a.lastUpdated < b.lastUpdated ? 1 : -1));
  const changes: OverviewChange[] = [];
  for (const line of lines.slice(0, overviewLimits.changes)) changes.push(await changeOf(store, line));
  const versions = writers.reduce((sum, writer) => sum + writer.versions, 0);
  return { records, versions, more: writers.length === overviewLimits.writers, changes };
}

/**
 * Returns one line per record if one author wrote only a few, otherwise one line for all. The versions must
 * be among the latest.
 */
function linesOf(writer: WriterHead, newest: readonly VersionSummary[]): readonly WriterHead[] {
  const writerVersions = newest.filter(
    (head) => isSameWriter(writer, head) && writer.operation === head.operation,
  );
  const byRecord = [...Map.groupBy(writerVersions, ({ type, id }) => `${type}/${id}`).values()];
  const lines = byRecord.flatMap(([head, ...otherVersions]) =>
    head ? [{ ...head, records: 1, versions: otherVersions.length + 1 }] : [],
  );
  return lines.length === writer.records ? lines : [writer];
}

function isSameWriter(version: VersionSummary, otherVersion: VersionSummary): boolean {
  return version.author === otherVersion.author && version.person === otherVersion.person;
}

/** More records of one writer than these are one change. */
const maxSeparateLines = 3;

async function changeOf(store: Store, line: WriterHead): Promise<OverviewChange> {
  const { type, id, author, person, operation, lastUpdated, records, versions } = line;
  const storedRecord = await store.read(type, id);
  const title = storedRecord && 'text' in storedRecord ? summarize(scan(storedRecord.text).root).title : '';
  const authorship = authorshipIn({ author, person });
  return { ...authorship, operation, versions, records, lastUpdated, record: { type, id, title } };
}

async function patientOf(store: Store, { id }: SubjectRow): Promise<OverviewPatient> {
  const records = perType(() => 0);
  let [name, lastUpdated] = ['', ''];
  for (const type of resourceTypes) {
    const criteria = readCriteria(type, [
      ['subject', id],
      ['_sort', '-_lastUpdated'],
    ]);
    const page = await store.search(criteria, namedWriters);
    records[type] = page.total;
    for (const issueRow of page.records) {
      if (issueRow.lastUpdated > lastUpdated) lastUpdated = issueRow.lastUpdated;
      if (name === '' && 'bytes' in issueRow)
        name = summarize(scan(issueRow.bytes.toString()).root).subjectName;
    }
  }
  return { id, name, records, lastUpdated };
}
