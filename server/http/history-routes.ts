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
import { createJsonHandler, respondLines } from './reply.ts';
import { type Handler } from './request.ts';
import type { TableRoute } from './route-table.ts';

interface HistoryDependencies {
  readonly service: Pick<RecordService, 'current'>;
  readonly store: Pick<SharedStore, 'history' | 'readVersion' | 'versionSummaries'>;
}

/** Parameter names of the page and the FHIR names that they map to. */
const fhirNames: Readonly<Record<string, string>> = { count: '_count', page: '_cursor' };

/** Limit of a page, because each version is compared with the one before. */
const maxVersions = 200;

/**
 * `/app/history/{type}/{id}`: versions with author, operation and changes.
 *
 * The texts are not sent, because a long history can have hundreds of megabytes.
 */
export function createHistoryRoutes({ service, store }: HistoryDependencies): readonly TableRoute[] {
  const handle = createJsonHandler(async (request) => {
    const { type } = request;
    const { id } = await service.current(type, request.id);
    const pairs = request.query.map(([name, value]) => [fhirNames[name] ?? name, value] as const);
    const { count, after } = readHistoryCriteria(pairs);
    const limit = Math.min(Math.max(count ?? historyPageSize, 1), maxVersions);
    const page = await store.history(type, { id, ...(after && { after }) }, limit);
    const history: HistoryPage = {
      total: page.total,
      versions: await buildEntries(page.versions, type),
      ...(page.next && { next: formatHistoryCursor(page.next) }),
    };
    return history;
  });

  async function buildEntries(
    versions: Iterable<OrDamaged<HistoryVersion>>,
    type: ResourceType,
  ): Promise<HistoryEntry[]> {
    const entries: HistoryEntry[] = [];
    let current: ParsedVersion | undefined;
    for (const version of versions) {
      const older = parseVersion(version);
      if (current) entries.push(buildEntry(current, older));
      current = older;
      // Lets other requests run between two versions of a large record.
      await setImmediate();
    }
    if (current) {
      const previousVersion = await store.readVersion(type, current.id, current.version - 1);
      entries.push(buildEntry(current, previousVersion && parseVersion(previousVersion)));
    }
    return entries;
  }

  return [{ method: 'GET', path: '/app/history/:type/:id', audit: 'read', handler: handle }];
}

type ParsedVersion = ReturnType<typeof parseVersion>;

/** Parses the text of a version. A damaged version has no root. */
function parseVersion(version: OrDamaged<HistoryVersion>) {
  return { ...version, root: 'text' in version ? scan(version.text).root : undefined };
}

function buildEntry({ root, ...version }: ParsedVersion, previous: ParsedVersion | undefined): HistoryEntry {
  const { lastUpdated, operation } = version;
  const changes = root && previous?.root ? recordChanges(previous.root, root) : [];
  const damagedMember = root === undefined && { damaged: true };
  return {
    version: version.version,
    lastUpdated,
    operation,
    ...authorshipIn(version),
    ...tellChanges(changes),
    ...damagedMember,
  };
}

/** Versions per batch. Other requests run between two batches. */
const batchSize = 500;

/** `/app/provenance`: author and reason of each version as Provenance in NDJSON, oldest first. */
export function createProvenanceRoutes({ service, store }: HistoryDependencies): readonly TableRoute[] {
  async function* listProvenances(
    record: Parameters<typeof store.versionSummaries.listAuthorship>[0],
  ): AsyncGenerator<readonly object[]> {
    for (let after = 0; ;) {
      const versions = await store.versionSummaries.listAuthorship(record, after, batchSize);
      const lastVersion = versions.at(-1);
      if (!lastVersion) return;
      yield versions.map(provenance);
      after = lastVersion.place;
    }
  }
  const exportProvenance: Handler = async (request) => {
    const type = request.params.type === undefined ? undefined : request.type;
    const record = type && { type, id: (await service.current(type, request.id)).id };
    return respondLines('provenance.ndjson', listProvenances(record));
  };
  return [
    { method: 'GET', path: '/app/provenance', audit: 'search', handler: exportProvenance },
    { method: 'GET', path: '/app/provenance/:type/:id', audit: 'read', handler: exportProvenance },
  ];
}
