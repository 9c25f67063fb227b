/**
 * Origins of imported resources. An id is unique on one server only, so the identity of an imported resource is its source,
 * type and id (R4 resource.html#id, bundle.html#references).
 */
import { isR4Type } from './r4-names.ts';
import { parseReference, type LiteralReference } from './reference.ts';

/** Origin of a record that an import stored. */
export interface Origin {
  /** Base of its fullUrl, the fullUrl itself if it is a `urn:`, or its batch. */
  readonly source: string;
  /** Batch of the import. */
  readonly batch: string;
  /** Address in its Bundle. */
  readonly fullUrl?: string | undefined;
}

/**
 * Returns the source of an import batch. As a base it forms absolute addresses (`batch:7/Patient/p`), so that an export can
 * keep apart what other batches brought.
 */
export function batchSource(id: string): string {
  return `batch:${id}`;
}

/** Returns true if a text is the UUID of an import batch. */
export function isBatchId(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
}

/** Maximum length of a source. Longer addresses are none. */
const maxSourceLength = 500;

/** Returns an address without a version. */
export function withoutVersion(address: string): string {
  const plain = address.trim().replace(/\/_history\/[^/]*$/, '');
  return isUrn(plain) ? plain.toLowerCase() : plain;
}

export function isUrn(address: string): boolean {
  return /^urn:/i.test(address);
}

/** Returns true if relative references resolve against a source (R4 bundle.html#references). */
export function isBase(source: string): boolean {
  return /^https?:/i.test(source);
}

/**
 * Returns the source that the fullUrl of a Bundle entry states: the base of `https://host/fhir/Patient/p`, and any other
 * absolute address as a whole. Undefined if it states none.
 */
export function sourceOfUrl(fullUrl: string | undefined): string | undefined {
  if (fullUrl === undefined || !/^[a-z][a-z\d+.-]*:/i.test(fullUrl.trim())) return undefined;
  const address = withoutVersion(fullUrl);
  if (address.length > maxSourceLength) return undefined;
  if (isUrn(address)) return address;
  const { base, type } = parseReference(address) ?? {};
  return base !== undefined && type !== undefined && isR4Type(type) ? base : address;
}

/**
 * Returns the source of a supporting resource. An address that names another resource than the text is an identity by
 * itself.
 */
export function sourceOfResource(
  { type, id }: Pick<LiteralReference, 'type' | 'id'>,
  fullUrl: string | undefined,
): string | undefined {
  const source = sourceOfUrl(fullUrl);
  if (source === undefined || isUrn(source)) return source;
  const address = withoutVersion(fullUrl ?? '');
  return address === `${source}/${type}/${id}` ? source : address;
}

/** Returns true if a source is a batch, so that nothing tells which server a resource came from. */
export function isBatch(source: string): boolean {
  return source.startsWith('batch:');
}

/**
 * Returns true if the erasure of a resource of a source keeps out a resource of another source. Without a known server, the
 * type and id count. An empty source stands for all.
 */
export function isKeptOut(erasedSource: string, source: string): boolean {
  return erasedSource === '' || erasedSource === source || isBatch(erasedSource) || isBatch(source);
}

/** Returns the origin of a record with a fullUrl in an import. */
export function createOrigin(batch: string, fullUrl: string | undefined): Origin {
  const source = sourceOfUrl(fullUrl);
  return source === undefined
    ? { source: batch, batch }
    : { source, batch, fullUrl: withoutVersion(fullUrl ?? '') };
}

/**
 * Returns the address that a source gives to its resource: below a base, or the source itself if it is a `urn:`. Undefined for
 * a batch, which is no address for others.
 */
export function addressBySource(
  source: string,
  { type, id }: Pick<LiteralReference, 'type' | 'id'>,
): string | undefined {
  if (isBatch(source)) return undefined;
  return isUrn(source) ? source : `${source}/${type}/${id}`;
}

/** Returns the address that states the identity of a resource of a source. */
export function addressInSource(
  source: string,
  { type, id }: Pick<LiteralReference, 'type' | 'id'>,
  fullUrl: string | undefined,
): string {
  // An address that is an identity by itself is no base.
  return isUrn(source) || source === fullUrl ? source : `${source}/${type}/${id}`;
}
