import { setImmediate } from 'node:timers/promises';
import { authorshipIn } from '../../core/app/authorship.ts';
import {
  overviewLimits,
  type OverviewChange,
  type OverviewPatient,
  type RecordsOverview,
} from '../../core/app/overview.ts';
import { mostValues } from '../../core/app/facets.ts';
import { facetOf } from '../../core/fhir/facet.ts';
import { definitionOf, perType, resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { readCriteria } from '../../core/fhir/search.ts';
import { summarise } from '../../core/fhir/summary.ts';
import { scan } from '../../core/json/scan.ts';
import type { SharedStore, SubjectRow, VersionHead, WriterHead } from '../store/store.ts';

type Store = Pick<SharedStore, 'facet' | 'count' | 'heads' | 'newestSubjects' | 'read' | 'search'>;

/** Records of a patient that are read for its name. */
const namedBy = 3;

/** What the overview tells of the records; other requests go between its parts. */
export async function recordsOverview(store: Store, since: string): Promise<RecordsOverview> {
  const counts = await store.count();
  const statuses = perType((): Record<string, number> => ({}));
  for (const type of resourceTypes) statuses[type] = await statusesOf(store, type, counts[type]);
  const changed = await changedSince(store, since);
  const patients: OverviewPatient[] = [];
  for (const subject of await store.newestSubjects(overviewLimits.patients)) {
    patients.push(await patientOf(store, subject));
    await setImmediate();
  }
  return { statuses, changed, patients };
}

/** Records of a type by their status; those without one by an empty name. */
async function statusesOf(store: Store, type: ResourceType, all: number): Promise<Record<string, number>> {
  const name = Object.entries(definitionOf(type).sort).find(([, value]) => value === 'status')?.[0] ?? '';
  const facet = facetOf(type, name);
  const { values } = facet ? await store.facet(readCriteria(type, []), facet, mostValues) : { values: [] };
  const counts = values.flatMap(({ value, count }) =>
    value.kind === 'token' ? [[value.code, count] as const] : [],
  );
  const none = all - counts.reduce((sum, [, count]) => sum + count, 0);
  return Object.fromEntries([...counts, ...(none > 0 ? [['', none] as const] : [])]);
}

/** What changed since an instant, by who wrote it in which way. Its numbers are counted over all that was written. */
async function changedSince(store: Store, since: string): Promise<RecordsOverview['changed']> {
  const records = await store.heads.changed(since);
  const writers = await store.heads.writers(since, overviewLimits.writers);
  const newest = await store.heads.newest(since, overviewLimits.versions);
  const lines = writers.flatMap((writer) => (writer.records > together ? [writer] : linesOf(writer, newest)));
  lines.sort((one, other) => (one.lastUpdated < other.lastUpdated ? 1 : -1));
  const changes: OverviewChange[] = [];
  for (const line of lines.slice(0, overviewLimits.changes)) changes.push(await changeOf(store, line));
  const versions = writers.reduce((sum, writer) => sum + writer.versions, 0);
  return { records, versions, more: writers.length === overviewLimits.writers, changes };
}

/** A line for each of the few records that one wrote; one for all where their versions are not among the newest. */
function linesOf(writer: WriterHead, newest: readonly VersionHead[]): readonly WriterHead[] {
  const own = newest.filter((head) => isSameWriter(writer, head) && writer.operation === head.operation);
  const byRecord = [...Map.groupBy(own, ({ type, id }) => `${type}/${id}`).values()];
  const lines = byRecord.flatMap(([head, ...others]) =>
    head ? [{ ...head, records: 1, versions: others.length + 1 }] : [],
  );
  return lines.length === writer.records ? lines : [writer];
}

function isSameWriter(one: VersionHead, other: VersionHead): boolean {
  return one.author === other.author && one.person === other.person;
}

/** More records of one writer than these are one change. */
const together = 3;

async function changeOf(store: Store, line: WriterHead): Promise<OverviewChange> {
  const { type, id, author, person, operation, lastUpdated, records, versions } = line;
  const found = await store.read(type, id);
  const title = found && 'text' in found ? summarise(scan(found.text).root).title : '';
  const by = authorshipIn({ author, person });
  return { ...by, operation, versions, records, lastUpdated, record: { type, id, title } };
}

async function patientOf(store: Store, { id }: SubjectRow): Promise<OverviewPatient> {
  const records = perType(() => 0);
  let [name, lastUpdated] = ['', ''];
  for (const type of resourceTypes) {
    const criteria = readCriteria(type, [
      ['subject', id],
      ['_sort', '-_lastUpdated'],
    ]);
    const page = await store.search(criteria, namedBy);
    records[type] = page.total;
    for (const one of page.records) {
      if (one.lastUpdated > lastUpdated) lastUpdated = one.lastUpdated;
      if (name === '' && 'bytes' in one) name = summarise(scan(one.bytes.toString()).root).subjectName;
    }
  }
  return { id, name, records, lastUpdated };
}
