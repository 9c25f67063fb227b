import { setImmediate } from 'node:timers/promises';
import { historyPageSize, namedPaths, type HistoryEntry, type HistoryPage } from '../../core/app/history.ts';
import { readHistoryCriteria, formatHistoryCursor } from '../../core/fhir/search-history.ts';
import { serverStamped } from '../../core/fhir/record.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { diff } from '../../core/json/diff.ts';
import { scan } from '../../core/json/scan.ts';
import type { RecordService } from '../fhir/service.ts';
import type { HistoryVersion, RecordStore } from '../store/store.ts';
import { sendJson } from './reply.ts';
import { idOf, pairsOf, typeOf, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

export interface HistoryParts {
  readonly service: Pick<RecordService, 'read'>;
  readonly store: Pick<RecordStore, 'history' | 'readVersion'>;
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
  const answer: Answer = async (request, response) => {
    const type = typeOf(request);
    const { id } = await service.read(type, idOf(request));
    const pairs = pairsOf(request).map(([name, value]) => [names[name] ?? name, value] as const);
    const { count, after } = readHistoryCriteria(pairs);
    const limit = Math.min(Math.max(count ?? historyPageSize, 1), mostVersions);
    const page = await store.history(type, { id, ...(after && { after }) }, limit);
    const found: HistoryPage = {
      total: page.total,
      versions: await entriesOf(page.versions, type),
      ...(page.next && { next: formatHistoryCursor(page.next) }),
    };
    sendJson(response, 200, JSON.stringify(found));
  };

  async function entriesOf(versions: Iterable<HistoryVersion>, type: ResourceType): Promise<HistoryEntry[]> {
    const entries: HistoryEntry[] = [];
    const rest = versions[Symbol.iterator]() as Iterator<HistoryVersion, undefined>;
    let current = rooted(rest.next().value);
    while (current) {
      const { version, lastUpdated, operation, author, id, root } = current;
      const earlier = rest.next().value;
      const previous = rooted(earlier ?? (await store.readVersion(type, id, version - 1)));
      const changes = previous
        ? diff(previous.root, root).filter(({ pointer }) => !serverStamped.has(pointer))
        : [];
      const paths = changes.slice(0, namedPaths).map(({ pointer }) => pointer);
      entries.push({ version, lastUpdated, operation, author, changes: changes.length, paths });
      current = earlier && previous;
      // Other requests go between two versions of a large record.
      await setImmediate();
    }
    return entries;
  }

  return [{ method: 'GET', path: '/app/history/:type/:id', audit: 'read', answer: answer }];
}

/** A version with its text parsed. */
function rooted(version: HistoryVersion | undefined) {
  return version && { ...version, root: scan(version.text).root };
}
