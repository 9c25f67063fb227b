/** Addresses, links and Bundles of remote servers behind the gateway. */
import { recordChanges } from '../fhir/record-changes.ts';
import { tellChanges, type HistoryEntry, type WriteOperation } from '../app/history.ts';
import type { ResourceType } from '../fhir/resource.ts';
import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import { gatewayPage } from './contract.ts';
import { matchesIdentity, isAside } from './identity.ts';

/** Remote server of a connection, behind the gateway. */
export interface RemoteServer {
  readonly id: string;
  readonly baseUrl: string;
}

/** Returns host and port of the server's address. */
export function hostOf(remote: RemoteServer | undefined): string | undefined {
  return remote && /^[a-z]+:\/\/([^/]+)/i.exec(remote.baseUrl)?.[1];
}

/** Returns the path that reads the page of a `next` link. A relative link is below the base URL. */
export function linkPath({ id, baseUrl }: RemoteServer, type: ResourceType, link: string): string {
  return gatewayPage(id, type, absolute(baseUrl, link));
}

/** Returns an absolute link. A relative one is below the base URL. */
export function absolute(baseUrl: string, link: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return link;
  if (link.startsWith('?')) return baseUrl + link;
  if (link.startsWith('/')) return (/^[a-z]+:\/\/[^/]+/i.exec(baseUrl)?.[0] ?? '') + link;
  return `${baseUrl}/${link}`;
}

const plainId = /^[A-Za-z0-9.-]{1,64}$/;
const referenceTypes: Readonly<Record<string, string>> = {
  subject: 'Patient',
  patient: 'Patient',
  encounter: 'Encounter',
};

/**
 * Returns the pairs with typed references, `Patient/17` for `17`. A server may reject a bare id for a
 * reference to several types (FHIR R4 search.html#reference), and some servers then find nothing.
 */
export function withTypedReferences(
  pairs: readonly (readonly [string, string])[],
): readonly (readonly [string, string])[] {
  return pairs.map(([name, value]) => {
    const type = referenceTypes[name];
    if (type === undefined) return [name, value];
    const typedIds = value.split(',').map((id) => (plainId.test(id) ? `${type}/${id}` : id));
    return [name, typedIds.join(',')];
  });
}

/** Returns the records of a type in a Bundle, without includes and outcomes. */
export function matchesOf(bundle: JsonNode, type: ResourceType): JsonNode[] {
  return items(member(bundle, 'entry')).flatMap((entry) => {
    const resource = member(entry, 'resource');
    return resource && !isAside(entry) && matchesIdentity(resource, { type }) ? [resource] : [];
  });
}

/** Returns the address of a Bundle's `next` link. */
export function nextLink(bundle: JsonNode): string | undefined {
  const next = items(member(bundle, 'link')).find((link) => stringMember(link, 'relation') === 'next');
  return stringMember(next, 'url');
}

/**
 * Version in a history Bundle. If the server has no numeric ids, its number counts from the oldest version.
 */
export interface RemoteVersion {
  readonly versionId: string;
  readonly entry: HistoryEntry;
}

const operations: Readonly<Record<string, WriteOperation>> = {
  POST: 'create',
  PATCH: 'patch',
  PUT: 'update',
};

/** Returns the versions in entries of history Bundles, latest first, without deletions. */
export function versionsOf(entries: readonly JsonNode[], type: ResourceType): readonly RemoteVersion[] {
  const versions = entries.flatMap((entry) => {
    const resource = member(entry, 'resource');
    if (!resource || stringMember(resource, 'resourceType') !== type) return [];
    const meta = member(resource, 'meta');
    const versionId = stringMember(meta, 'versionId') ?? '';
    const method = stringMember(member(entry, 'request'), 'method') ?? '';
    return [{ resource, versionId, method, lastUpdated: stringMember(meta, 'lastUpdated') ?? '' }];
  });
  const hasNumericIds = versions.every(({ versionId }) => /^[1-9][0-9]{0,8}$/.test(versionId));
  return versions.map(({ resource, versionId, method, lastUpdated }, index) => {
    const before = versions[index + 1]?.resource;
    const changes = before ? recordChanges(before, resource) : [];
    const version = hasNumericIds ? Number(versionId) : versions.length - index;
    const operation = operations[method] ?? (version === 1 ? 'create' : 'update');
    return { versionId, entry: { version, lastUpdated, operation, author: '', ...tellChanges(changes) } };
  });
}
