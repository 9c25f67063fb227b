/** What differs where a client speaks to another server through the gateway: addresses, links, Bundles of any server. */
import { recordChanges } from '../fhir/record-changes.ts';
import { tellChanges, type HistoryEntry, type WriteOperation } from '../app/history.ts';
import type { ResourceType } from '../fhir/resource.ts';
import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import { gatewayPage } from './gateway.ts';
import { isAsked, isAside } from './identity.ts';

/** A server that is reached through the gateway, by the connection's id. */
export interface RemoteServer {
  readonly id: string;
  readonly baseUrl: string;
}

/** Host and port of its address. */
export function hostOf(remote: RemoteServer | undefined): string | undefined {
  return remote && /^[a-z]+:\/\/([^/]+)/i.exec(remote.baseUrl)?.[1];
}

/** Where the page behind a Bundle's `next` link is read; a relative link stands below the base URL. */
export function linkPath({ id, baseUrl }: RemoteServer, type: ResourceType, link: string): string {
  return gatewayPage(id, type, absolute(baseUrl, link));
}

/** Where a link leads; a relative one stands below the base URL. */
export function absolute(baseUrl: string, link: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return link;
  if (link.startsWith('?')) return baseUrl + link;
  if (link.startsWith('/')) return (/^[a-z]+:\/\/[^/]+/i.exec(baseUrl)?.[0] ?? '') + link;
  return `${baseUrl}/${link}`;
}

const plainId = /^[A-Za-z0-9.-]{1,64}$/;
const referenced: Readonly<Record<string, string>> = {
  subject: 'Patient',
  patient: 'Patient',
  encounter: 'Encounter',
};

/**
 * The pairs with bare ids as references, `Patient/17` for `17`: FHIR lets a server refuse a bare id where a reference
 * may lead to several types (FHIR R4 search.html#reference), and some find nothing.
 */
export function withTypedReferences(
  pairs: readonly (readonly [string, string])[],
): readonly (readonly [string, string])[] {
  return pairs.map(([name, value]) => {
    const type = referenced[name];
    if (type === undefined) return [name, value];
    const typed = value.split(',').map((one) => (plainId.test(one) ? `${type}/${one}` : one));
    return [name, typed.join(',')];
  });
}

/** The records of a type in a Bundle, without what a server puts beside them: includes and outcomes. */
export function matchesOf(bundle: JsonNode, type: ResourceType): JsonNode[] {
  return items(member(bundle, 'entry')).flatMap((entry) => {
    const resource = member(entry, 'resource');
    return resource && !isAside(entry) && isAsked(resource, { type }) ? [resource] : [];
  });
}

/** The address behind a Bundle's `next` link. */
export function nextLink(bundle: JsonNode): string | undefined {
  const next = items(member(bundle, 'link')).find((link) => stringMember(link, 'relation') === 'next');
  return stringMember(next, 'url');
}

/** A version of a history Bundle; the number is its place from the oldest where the server has no numbers. */
export interface RemoteVersion {
  readonly versionId: string;
  readonly entry: HistoryEntry;
}

const operations: Readonly<Record<string, WriteOperation>> = {
  POST: 'create',
  PATCH: 'patch',
  PUT: 'update',
};

/** The versions that the entries of history Bundles tell of, newest first; deletions are left out. */
export function versionsOf(entries: readonly JsonNode[], type: ResourceType): readonly RemoteVersion[] {
  const held = entries.flatMap((entry) => {
    const resource = member(entry, 'resource');
    if (!resource || stringMember(resource, 'resourceType') !== type) return [];
    const meta = member(resource, 'meta');
    const versionId = stringMember(meta, 'versionId') ?? '';
    const method = stringMember(member(entry, 'request'), 'method') ?? '';
    return [{ resource, versionId, method, lastUpdated: stringMember(meta, 'lastUpdated') ?? '' }];
  });
  const numbered = held.every(({ versionId }) => /^[1-9][0-9]{0,8}$/.test(versionId));
  return held.map(({ resource, versionId, method, lastUpdated }, index) => {
    const before = held[index + 1]?.resource;
    const changed = before ? recordChanges(before, resource) : [];
    const version = numbered ? Number(versionId) : held.length - index;
    const operation = operations[method] ?? (version === 1 ? 'create' : 'update');
    return { versionId, entry: { version, lastUpdated, operation, author: '', ...tellChanges(changed) } };
  });
}
