import type { Authorship } from '../app/authorship.ts';
import type { HistoryPage } from '../app/history.ts';
import type { ResourceType } from '../fhir/resource.ts';
import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import { readList } from './answers.ts';
import { linkPath, nextLink, versionsOf, type RemoteServer } from './remote.ts';

interface HistoryHandlers {
  readonly address: (type: ResourceType, id?: string) => string;
  /** Returns the text at an address. Rejects as the client does. */
  readonly get: (path: string) => Promise<string>;
}

/** Page size of a history, and the maximum count of pages. */
const pageSize = 100;
const maxPages = 10;

/**
 * Creates a reader of remote histories (FHIR R4 http.html#history). It reads all versions at once and numbers
 * them.
 */
export function remoteHistory(server: RemoteServer, { address, get }: HistoryHandlers) {
  /** Version ids by record and number, of the records read so far. */
  const versionIdsByRecord = new Map<string, ReadonlyMap<number, string>>();

  async function read(type: ResourceType, id: string): Promise<HistoryPage> {
    const entries: JsonNode[] = [];
    let path: string | undefined = `${address(type, id)}/_history?_count=${pageSize}`;
    for (let page = 0; path !== undefined && page < maxPages; page += 1) {
      const bundle = readList(await get(path), { type, id });
      entries.push(...items(member(bundle, 'entry')));
      const link = nextLink(bundle);
      path = link === undefined ? undefined : linkPath(server, type, link);
    }
    const versions = versionsOf(entries, type);
    const authorOf = await authors(type, id);
    versionIdsByRecord.set(
      `${type}/${id}`,
      new Map(versions.map((version) => [version.entry.version, version.versionId])),
    );
    return {
      total: versions.length,
      versions: versions.map(({ versionId, entry }) => {
        return { ...entry, ...authorOf({ versionId, lastUpdated: entry.lastUpdated }) };
      }),
    };
  }

  /**
   * Reads the authors from Provenances of the server (FHIR R4 search.html#revinclude). A server without them
   * is not an error.
   */
  async function authors(type: ResourceType, id: string): Promise<ReturnType<typeof authorsIn>> {
    const query = `_id=${encodeURIComponent(id)}&_revinclude=${encodeURIComponent('Provenance:target')}`;
    try {
      return authorsIn(readList(await get(`${address(type)}?${query}`), { type, id }), { type, id });
    } catch {
      return () => undefined;
    }
  }

  return {
    read,
    async versionId(type: ResourceType, id: string, version: number): Promise<string> {
      const key = `${type}/${id}`;
      if (!versionIdsByRecord.has(key)) await read(type, id);
      return versionIdsByRecord.get(key)?.get(version) ?? String(version);
    },
  };
}

/** Authorship that a Provenance states, for one version or for one instant. */
interface StatedAuthorship extends Authorship {
  /** Version id in the target; absent if the Provenance names only the record. */
  readonly versionId?: string;
  /** Instant of recording in milliseconds. */
  readonly recorded: number;
}

/**
 * Returns a function that finds the author and reason of a version in the Provenances of a Bundle (FHIR R4
 * provenance.html): the Provenance with its version id, otherwise with its instant. Undefined without such a
 * Provenance.
 */
export function authorsIn(
  bundle: JsonNode,
  { type, id }: { readonly type: string; readonly id: string },
): (version: { readonly versionId: string; readonly lastUpdated: string }) => Authorship | undefined {
  const statements = items(member(bundle, 'entry')).flatMap((entry) => {
    const resource = member(entry, 'resource');
    if (!resource || stringMember(resource, 'resourceType') !== 'Provenance') return [];
    return items(member(resource, 'target')).flatMap((target) =>
      readStatements(resource, target, `${type}/${id}`),
    );
  });
  return ({ versionId, lastUpdated }) => {
    const statement =
      statements.find((candidate) => candidate.versionId === versionId) ??
      statements.find(
        (candidate) => candidate.versionId === undefined && candidate.recorded === Date.parse(lastUpdated),
      );
    return (
      statement && {
        author: statement.author,
        ...(statement.reason !== undefined && { reason: statement.reason }),
      }
    );
  };
}

function readStatements(provenance: JsonNode, target: JsonNode, record: string): readonly StatedAuthorship[] {
  const reference = stringMember(target, 'reference') ?? '';
  // The reference may be relative, or absolute with any address of the server.
  const [, recordName, versionId] =
    /(?:^|\/)([A-Za-z]+\/[A-Za-z0-9.-]+)(?:\/_history\/([^/]+))?$/.exec(reference) ?? [];
  const author = authorOf(items(member(provenance, 'agent')));
  if (recordName !== record || author === undefined) return [];
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

/** Returns the name of the author agent, otherwise of the first named agent. */
function authorOf(agents: readonly JsonNode[]): string | undefined {
  const namedAgents = agents.flatMap((agent) => {
    const agentReference = member(agent, 'who');
    const name = stringMember(agentReference, 'display') ?? stringMember(agentReference, 'reference');
    if (name === undefined) return [];
    const codes = items(member(member(agent, 'type'), 'coding')).map((coding) =>
      stringMember(coding, 'code'),
    );
    return [{ name, isAuthor: codes.includes('author') }];
  });
  return (namedAgents.find(({ isAuthor }) => isAuthor) ?? namedAgents[0])?.name;
}

function reasonOf(reasons: readonly JsonNode[]): string {
  const reasonTexts = reasons.map(
    (reason) =>
      stringMember(reason, 'text') ??
      items(member(reason, 'coding'))
        .map((coding) => stringMember(coding, 'display') ?? stringMember(coding, 'code') ?? '')
        .join(', '),
  );
  return reasonTexts.filter((reasonText) => reasonText !== '').join('; ');
}
