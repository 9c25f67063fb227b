import type { HistoryPage } from '../app/history.ts';
import type { ResourceType } from '../fhir/resource.ts';
import { items, member, type JsonNode } from '../json/node.ts';
import { readList } from './answers.ts';
import { authorsIn } from './remote-authors.ts';
import { linkPath, nextLink, versionsOf, type RemoteServer } from './remote.ts';

interface HistoryWays {
  readonly address: (type: ResourceType, id?: string) => string;
  /** The text at an address; rejects as the client does. */
  readonly get: (path: string) => Promise<string>;
}

/** Versions that are asked for at once, and how many pages of them at most. */
const count = 100;
const mostPages = 10;

/** The histories of another server (FHIR R4 http.html#history): all versions at once, each under a number. */
export function remoteHistory(server: RemoteServer, { address, get }: HistoryWays) {
  /** The version ids of the records that were read, by their numbers. */
  const known = new Map<string, ReadonlyMap<number, string>>();

  async function read(type: ResourceType, id: string): Promise<HistoryPage> {
    const entries: JsonNode[] = [];
    let path: string | undefined = `${address(type, id)}/_history?_count=${count}`;
    for (let page = 0; path !== undefined && page < mostPages; page += 1) {
      const bundle = readList(await get(path), { type, id });
      entries.push(...items(member(bundle, 'entry')));
      const link = nextLink(bundle);
      path = link === undefined ? undefined : linkPath(server, type, link);
    }
    const versions = versionsOf(entries, type);
    const authorOf = await authors(type, id);
    known.set(`${type}/${id}`, new Map(versions.map((one) => [one.entry.version, one.versionId])));
    return {
      total: versions.length,
      versions: versions.map(({ versionId, entry }) => {
        return { ...entry, ...authorOf({ versionId, lastUpdated: entry.lastUpdated }) };
      }),
    };
  }

  /** Who wrote the versions, as far as the server tells (FHIR R4 search.html#revinclude); a server that does not is no fault. */
  async function authors(type: ResourceType, id: string): Promise<ReturnType<typeof authorsIn>> {
    const asked = `_id=${encodeURIComponent(id)}&_revinclude=${encodeURIComponent('Provenance:target')}`;
    try {
      return authorsIn(readList(await get(`${address(type)}?${asked}`), { type, id }), { type, id });
    } catch {
      return () => undefined;
    }
  }

  return {
    read,
    /** What the server calls a version. */
    async versionId(type: ResourceType, id: string, version: number): Promise<string> {
      const key = `${type}/${id}`;
      if (!known.has(key)) await read(type, id);
      return known.get(key)?.get(version) ?? String(version);
    },
  };
}
