import type { Authorship } from '../app/authorship.ts';
import type { HistoryPage } from '../app/history.ts';
import type { ResourceType } from '../fhir/resource.ts';
import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import { readList } from './answers.ts';
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

/** What a server says of the writing of one version, or of what was written at one instant. */
interface Told extends Authorship {
  /** The version id, where the Provenance names the version. */
  readonly versionId?: string;
  /** Milliseconds at which it was recorded. */
  readonly recorded: number;
}

/**
 * Who wrote the versions of a record and why, by the Provenances in a Bundle (FHIR R4 provenance.html): one that names the
 * version, else one that was recorded at the version's own instant. Nothing is guessed: undefined where none says it.
 */
export function authorsIn(
  bundle: JsonNode,
  { type, id }: { readonly type: string; readonly id: string },
): (version: { readonly versionId: string; readonly lastUpdated: string }) => Authorship | undefined {
  const told = items(member(bundle, 'entry')).flatMap((entry) => {
    const resource = member(entry, 'resource');
    if (!resource || stringMember(resource, 'resourceType') !== 'Provenance') return [];
    return items(member(resource, 'target')).flatMap((target) => toldOf(resource, target, `${type}/${id}`));
  });
  return ({ versionId, lastUpdated }) => {
    const found =
      told.find((one) => one.versionId === versionId) ??
      told.find((one) => one.versionId === undefined && one.recorded === Date.parse(lastUpdated));
    return found && { author: found.author, ...(found.reason !== undefined && { reason: found.reason }) };
  };
}

function toldOf(provenance: JsonNode, target: JsonNode, record: string): readonly Told[] {
  const reference = stringMember(target, 'reference') ?? '';
  // Relative, or below whatever address the server has for itself.
  const [, found, versionId] =
    /(?:^|\/)([A-Za-z]+\/[A-Za-z0-9.-]+)(?:\/_history\/([^/]+))?$/.exec(reference) ?? [];
  const author = authorOf(items(member(provenance, 'agent')));
  if (found !== record || author === undefined) return [];
  const reason = reasonOf(items(member(provenance, 'reason')));
  return [
    {
      author,
      recorded: Date.parse(stringMember(provenance, 'recorded') ?? ''),
      ...(versionId !== undefined && { versionId }),
      ...(reason !== '' && { reason }),
    },
  ];
}

/** The agent who is the author, else the first that is named. */
function authorOf(agents: readonly JsonNode[]): string | undefined {
  const named = agents.flatMap((agent) => {
    const who = member(agent, 'who');
    const name = stringMember(who, 'display') ?? stringMember(who, 'reference');
    if (name === undefined) return [];
    const codes = items(member(member(agent, 'type'), 'coding')).map((coding) =>
      stringMember(coding, 'code'),
    );
    return [{ name, isAuthor: codes.includes('author') }];
  });
  return (named.find(({ isAuthor }) => isAuthor) ?? named[0])?.name;
}

function reasonOf(reasons: readonly JsonNode[]): string {
  const words = reasons.map(
    (reason) =>
      stringMember(reason, 'text') ??
      items(member(reason, 'coding'))
        .map((coding) => stringMember(coding, 'display') ?? stringMember(coding, 'code') ?? '')
        .join(', '),
  );
  return words.filter((one) => one !== '').join('; ');
}
