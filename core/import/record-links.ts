/** Addresses of the records of an import (R4 bundle.html#references). */
import { isUrn, sourceOfUrl, withoutVersion } from '../fhir/origin.ts';
import { parseReference } from '../fhir/reference.ts';
import { isFhirId, isResourceType, resourceTypes, type ResourceType } from '../fhir/resource.ts';
import type { ImportEntry } from './entry.ts';

/** A record as its entry states it. */
export interface StatedRecord {
  readonly type: ResourceType;
  /** Its address: the fullUrl, or type and id in the batch. Absent if nothing can refer to it. */
  readonly address?: string;
  /** Type and id in the batch, for a record whose address is a `urn:`. */
  readonly alias?: string;
  /** Base of its relative references. */
  readonly base: string;
  /** Id that its text or its addresses state. */
  readonly id?: string;
}

/** Returns the record of an entry, or the one elsewhere that it stands for; undefined for another resource or text. */
export function readStatedRecord(
  { text, elsewhere, ...ownAddresses }: ImportEntry,
  batch: string,
): StatedRecord | undefined {
  const { fullUrl, requestUrl } = elsewhere ?? ownAddresses;
  const { type, id: ownId } = elsewhere ? parseRequest(requestUrl) : parseName(text);
  if (type === undefined) return undefined;
  const source = sourceOfUrl(fullUrl);
  const id = ownId ?? idOfAddress(fullUrl, type) ?? idOfAddress(requestUrl, type);
  const ownAddress = id === undefined ? undefined : `${batch}/${type}/${id}`;
  const address = source === undefined ? ownAddress : withoutVersion(fullUrl ?? '');
  const isOfUrn = source !== undefined && isUrn(source);
  return {
    type,
    base: source === undefined || isOfUrn ? batch : source,
    ...(address !== undefined && { address }),
    ...(isOfUrn && ownAddress !== undefined && { alias: ownAddress }),
    ...(id !== undefined && { id }),
  };
}

/** Returns type and id of a record; none for another resource or text. */
function parseName(text: string | undefined): { readonly type?: ResourceType; readonly id?: string } {
  if (text === undefined || !resourceTypes.some((type) => text.includes(`"${type}"`))) return {};
  try {
    const resource = JSON.parse(text) as { readonly resourceType?: unknown; readonly id?: unknown } | null;
    const { resourceType, id } = resource ?? {};
    if (typeof resourceType !== 'string' || !isResourceType(resourceType)) return {};
    return { type: resourceType, ...(typeof id === 'string' && { id }) };
  } catch {
    return {};
  }
}

/** Returns type and id of the record that a request reads. */
function parseRequest(url = ''): ReturnType<typeof parseName> {
  const { type = '', id = '' } = parseReference(url) ?? {};
  return isResourceType(type) ? { type, ...(id !== noId && { id }) } : {};
}

/** Stands for the id of a record that has none. */
export const noId = '-';

/** Returns the id that an address states for a record of a type. */
function idOfAddress(address: string | undefined, type: ResourceType): string | undefined {
  const { id, type: statedType = type } = parseReference(withoutVersion(address ?? '')) ?? {};
  return id !== undefined && isFhirId(id) && statedType === type ? id : undefined;
}
