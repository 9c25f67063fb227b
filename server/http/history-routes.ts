import { setImmediate } from 'node:timers/promises';
import { authorshipIn } from '../../core/app/authorship.ts';
import { historyPageSize, tellChanges, type HistoryEntry, type HistoryPage } from '../../core/app/history.ts';
import { readHistoryCriteria, formatHistoryCursor } from '../../core/fhir/search-history.ts';
import { recordChanges } from '../../core/fhir/record-changes.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { scan } from '../../core/json/scan.ts';
import { provenance } from '../../core/api/provenance.ts';
import type { RecordService } from '../fhir/service.ts';
import type { HistoryVersion, OrDamaged, SharedStore } from '../store/store.ts';
import { json } from './reply.ts';
import { idOf, pairsOf, typeOf, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { sendLines } from './write-out.ts';

interface HistoryParts {
  readonly service: Pick<RecordService, 'current'>;
  readonly store: Pick<SharedStore, 'history' | 'readVersion' | 'heads'>;
}

/** What the page calls these parameters, and what a history's own reader calls them. */
const names: Readonly<Record<string, string>> = { count: '_count', page: '_cursor' };

/** Each version of a page is compared with the one before it. */
const mostVersions = 200;

/**
 * `/app/history/{type}/{id}`: the versions of a record with author, operation and what each changed; their texts stay
 * here, as a long history of a large record would be hundreds of megabytes.
 */
export function historyRoutes({ service, store }: HistoryParts): readonly TableRoute[] {
  const answer = json(async (request) => {
    const type = typeOf(request);
    const { id } = await service.current(type, idOf(request));
    const pairs = pairsOf(request).map(([name, value]) => [names[name] ?? name, value] as const);
    const { count, after } = readHistoryCriteria(pairs);
    const limit = Math.min(Math.max(count ?? historyPageSize, 1), mostVersions);
    const page = await store.history(type, { id, ...(after && { after }) }, limit);
    const found: HistoryPage = {
      total: page.total,
      versions: await entriesOf(page.versions, type),
      ...(page.next && { next: formatHistoryCursor(page.next) }),
    };
    return found;
  });

  async function entriesOf(
    versions: Iterable<OrDamaged<HistoryVersion>>,
    type: ResourceType,
  ): Promise<HistoryEntry[]> {
    const entries: HistoryEntry[] = [];
    let current: Rooted | undefined;
    for (const one of versions) {
      const previous = rooted(one);
      if (current) entries.push(entryOf(current, previous));
      current = previous;
      // Other requests go between two versions of a large record.
      await setImmediate();
    }
    if (current) {
      const earlier = await store.readVersion(type, current.id, current.version - 1);
      entries.push(entryOf(current, earlier && rooted(earlier)));
    }
    return entries;
  }

  return [{ method: 'GET', path: '/app/history/:type/:id', audit: 'read', answer }];
}

type Rooted = ReturnType<typeof rooted>;

/** A version with its text parsed; without a root where that is damaged. */
function rooted(version: OrDamaged<HistoryVersion>) {
  return { ...version, root: 'text' in version ? scan(version.text).root : undefined };
}

function entryOf({ root, ...version }: Rooted, previous: Rooted | undefined): HistoryEntry {
  const { lastUpdated, operation } = version;
  const changes = root && previous?.root ? recordChanges(previous.root, root) : [];
  const damaged = root === undefined && { damaged: true };
  return {
    ...{ version: version.version, lastUpdated, operation, ...authorshipIn(version) },
    ...tellChanges(changes),
    ...damaged,
  };
}

/** Versions that are read before other requests have their turn. */
const slice = 500;

/** `/app/provenance`: who wrote each version and why, as Provenance in NDJSON, oldest first; of one record or of all. */
export function provenanceRoutes({ service, store }: HistoryParts): readonly TableRoute[] {
  async function* provenances(
    record: Parameters<typeof store.heads.proven>[0],
  ): AsyncGenerator<readonly object[]> {
    for (let after = 0; ;) {
      const versions = await store.heads.proven(record, after, slice);
      const last = versions.at(-1);
      if (!last) return;
      yield versions.map(provenance);
      after = last.place;
    }
  }
  const exported: Answer = async (request, response) => {
    const type = request.params.type === undefined ? undefined : typeOf(request);
    const record = type && { type, id: (await service.current(type, idOf(request))).id };
    await sendLines(response, 'provenance.ndjson', provenances(record));
  };
  return [
    { method: 'GET', path: '/app/provenance', audit: 'search', answer: exported },
    { method: 'GET', path: '/app/provenance/:type/:id', audit: 'read', answer: exported },
  ];
}
