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
import type { SharedStore, SubjectRow, VersionHead } from '../store/store.ts';

type Store = Pick<SharedStore, 'facet' | 'count' | 'heads' | 'newestSubjects' | 'read' | 'search'>;

/** Records of a patient that are read for its name. */
const namedBy = 3;

/** What the overview tells of the records; other requests go between its parts. */
export async function recordsOverview(store: Store, since: string): Promise<RecordsOverview> {
  const counts = await store.count();
  const statuses = perType((): Record<string, number> => ({}));
  for (const type of resourceTypes) statuses[type] = await statusesOf(store, type, counts[type]);
  const heads = await store.heads.newest(since, overviewLimits.versions);
  const changes: OverviewChange[] = [];
  for (const run of runsOf(heads).slice(0, overviewLimits.changes)) changes.push(await changeOf(store, run));
  const patients: OverviewPatient[] = [];
  for (const subject of await store.newestSubjects(overviewLimits.patients)) {
    patients.push(await patientOf(store, subject));
    await setImmediate();
  }
  const more = heads.length === overviewLimits.versions;
  return { statuses, changed: { versions: heads.length, more, changes }, patients };
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

/** What one wrote in a row in the same way. Edits stand alone, imports of many records together. */
function runsOf(heads: readonly VersionHead[]): readonly (readonly [VersionHead, ...VersionHead[]])[] {
  const runs: [VersionHead, ...VersionHead[]][] = [];
  for (const head of heads) {
    const [last] = runs.at(-1) ?? [];
    if (last && isSameWriter(last, head) && last.operation === head.operation) runs.at(-1)?.push(head);
    else runs.push([head]);
  }
  return runs.flatMap((run) => (run.length > together ? [run] : run.map((head): [VersionHead] => [head])));
}

function isSameWriter(one: VersionHead, other: VersionHead): boolean {
  return one.author === other.author && one.person === other.person;
}

/** So many of the same kind in a row, and more, are one change. */
const together = 3;

async function changeOf(
  store: Store,
  [{ type, id, author, person, operation, lastUpdated }, ...others]: readonly [VersionHead, ...VersionHead[]],
): Promise<OverviewChange> {
  const found = await store.read(type, id);
  const title = found && 'text' in found ? summarise(scan(found.text).root).title : '';
  const by = authorshipIn({ author, person });
  return { ...by, operation, versions: others.length + 1, lastUpdated, record: { type, id, title } };
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
