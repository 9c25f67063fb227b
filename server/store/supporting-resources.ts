/**
 * Supporting resources: resources of other types that came with records, stored unchanged. Only their
 * subjects are derived. The same type and id from the same source replaces the stored one.
 *
 * Rules for every engine. The engines query and write the table `companion` (sqlite-companions.ts,
 * postgres/companions.ts).
 */
import {
  withoutVersion,
  type SupportingResource,
  type NamedResource,
  type ParsedSupportingResource,
} from '../../core/fhir/supporting-resource.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { parseReference } from '../../core/fhir/reference.ts';
import { defineMessages } from '../../core/text/message.ts';
import { doneEntry, type NewAuditEntry } from './audit-chain.ts';
import { isIntact } from './checksum.ts';
import type { Actor } from './actor.ts';

const messages = defineMessages('companion', {
  damaged: 'The stored text of this {type} is damaged. Import it again.',
});

/** Result of storing a supporting resource. `refused` if its type and id may belong to another resource. */
export type SupportingWriteResult = 'kept' | 'replaced' | 'unchanged' | 'refused';
/** Results that change the store. */
export type SupportingResourceChange = Exclude<SupportingWriteResult, 'unchanged' | 'refused'>;

export interface SupportingResourceCount {
  readonly type: string;
  readonly count: number;
}

export interface SupportingResourceStore {
  /** Stores a resource with its audit entry. Nothing changes if the result is `unchanged` or `refused`. */
  store(resource: ParsedSupportingResource, actor: Actor): Promise<SupportingWriteResult>;
  /** Returns the result that `store` would have. */
  previewWrite(resource: ParsedSupportingResource): Promise<SupportingWriteResult>;
  /** Rejects with FhirError `damaged`. */
  read(name: NamedResource): Promise<SupportingResource | undefined>;
  /**
   * Finds the resource of a literal reference: by its fullUrl, by type and id, or by the id of a `urn:`.
   * `ownAddress` is the address of this server's records. Rejects with FhirError `damaged`.
   */
  resolve(reference: string, ownAddress?: string): Promise<SupportingResource | undefined>;
  /** Returns a text that changes whenever a resource is stored or removed. */
  getFingerprint(): Promise<string>;
  /** Calls the listener if resources may have changed. */
  onChange(listener: () => void): void;
  /** Returns the number of resources of each type, sorted by type. */
  countByType(): Promise<readonly SupportingResourceCount[]>;
  /** Returns names sorted by id, after an id. */
  listNames(type: string, after: string, limit: number): Promise<readonly NamedResource[]>;
  /** Removes the resources of a type, or all. Returns their number. Pauses for other work. */
  remove(type: string | undefined, actor: Actor): Promise<number>;
}

/** A stored row. `body` is UTF-8, `sha256` is hex. */
export interface SupportingResourceRow extends NamedResource {
  readonly fullUrl: string | null;
  readonly body: unknown;
  readonly sha256: unknown;
}

/** Queries of an engine. */
export interface SupportingResourceLookups {
  readonly findByName: (name: NamedResource) => Promise<SupportingResourceRow | undefined>;
  /** Finds the latest resource with an address. */
  readonly findByUrl: (fullUrl: string) => Promise<SupportingResourceRow | undefined>;
  /** Returns up to two resources with one of two ids. */
  readonly findByIds: (id: string, otherId: string) => Promise<readonly SupportingResourceRow[]>;
}

/** Rows of one removal step. A small step keeps the commit short. */
export const removalBatchSize = 500;

/** Removes in steps until a step is incomplete. Returns the total number. */
export async function removeInSteps(step: () => Promise<number>): Promise<number> {
  let removedCount = 0;
  for (let stepCount = removalBatchSize; stepCount === removalBatchSize;) {
    stepCount = await step();
    removedCount += stepCount;
  }
  return removedCount;
}

/** Creates the reading functions of every engine. */
export function createSupportingResourceReader(lookups: SupportingResourceLookups) {
  const listeners: (() => void)[] = [];
  return {
    read: async (name: NamedResource) => toSupportingResource(await lookups.findByName(name)),
    resolve: (reference: string, ownAddress?: string) => resolveReference(lookups, reference, ownAddress),
    onChange: (listener: () => void) => void listeners.push(listener),
    notifyListeners: (): void => {
      for (const listener of listeners) listener();
    },
  };
}

/** Returns the fullUrl if it is a `urn:`, which identifies one content for any id. */
export function urnOf({ fullUrl }: ParsedSupportingResource): string | undefined {
  return fullUrl?.startsWith('urn:') === true ? fullUrl : undefined;
}

/**
 * Returns the result of storing a resource, given the stored ones with its type and id and with its `urn:`.
 * An id is unique on one server only: the same address proves one resource, and a `urn:` proves one content.
 * If one of the two has no address, the contents must be equal.
 */
export function decideWrite(
  resource: ParsedSupportingResource,
  row: SupportingResourceRow | undefined,
  rowOfUrn: SupportingResourceRow | undefined,
): SupportingWriteResult {
  const { type, id, text, fullUrl } = resource;
  if (rowOfUrn && (rowOfUrn.type !== type || rowOfUrn.id !== id)) return 'refused';
  if (!row) return 'kept';
  const isIntactText = isIntact(row.body, row.sha256);
  const isSameText = isIntactText && row.body.toString() === text;
  const previousUrl = row.fullUrl ?? undefined;
  if (previousUrl === fullUrl) {
    if (isSameText) return 'unchanged';
    return isIntactText && urnOf(resource) !== undefined ? 'refused' : 'replaced';
  }
  if (!isSameText || (previousUrl !== undefined && fullUrl !== undefined)) return 'refused';
  // The stored address stays, because references use it.
  return fullUrl === undefined ? 'unchanged' : 'replaced';
}

/** Returns the result of storing a resource in this store. */
export async function previewWriteIn(
  lookups: SupportingResourceLookups,
  resource: ParsedSupportingResource,
): Promise<SupportingWriteResult> {
  const urn = urnOf(resource);
  return decideWrite(
    resource,
    await lookups.findByName(resource),
    urn === undefined ? undefined : await lookups.findByUrl(urn),
  );
}

/** Returns true if the result changes the store. */
export function isChange(writeResult: SupportingWriteResult): writeResult is SupportingResourceChange {
  return writeResult === 'kept' || writeResult === 'replaced';
}

/**
 * Converts a row to a resource.
 *
 * @throws FhirError `damaged`.
 */
function toSupportingResource(row: SupportingResourceRow | undefined): SupportingResource | undefined {
  if (!row) return undefined;
  const { type, id, fullUrl, body, sha256 } = row;
  if (isIntact(body, sha256))
    return { type, id, text: body.toString(), ...(fullUrl !== null && { fullUrl }) };
  throw new FhirError('damaged', {
    ...messages.damaged({ type }),
    diagnostics: `${type}/${id}`,
  });
}

/** Implements {@link SupportingResourceStore.resolve}. */
async function resolveReference(
  { findByName, findByUrl, findByIds }: SupportingResourceLookups,
  reference: string,
  ownAddress = '',
): Promise<SupportingResource | undefined> {
  const address = withoutVersion(reference);
  const { id, type, base = '' } = parseReference(address) ?? { id: '' };
  if (id === '' || base === '#') return undefined;
  const match = base === '' ? undefined : await findByUrl(address);
  if (match) return toSupportingResource(match);
  if (type === undefined) {
    // An id without a type is ambiguous if two resources have it.
    const [candidate, ...otherCandidates] = base === '' ? [] : await findByIds(id, id.toUpperCase());
    return otherCandidates.length === 0 ? toSupportingResource(candidate) : undefined;
  }
  const resource = await findByName({ type, id });
  // A resource stored under an address does not match another server's address.
  return base === '' || base === ownAddress || resource?.fullUrl === null
    ? toSupportingResource(resource)
    : undefined;
}

/** Returns the ids that reference a resource: its own id, and the ids in its addresses. */
export function listReferencingIds({ id }: NamedResource, fullUrls: readonly string[]): string[] {
  return [id, ...fullUrls.flatMap((url) => parseReference(url)?.id ?? [])];
}

const supportingResourcesPath = '/app/companions';

/** Returns the address of a supporting resource in the audit log. */
export function addressOf({ type, id }: NamedResource): string {
  return `${supportingResourcesPath}/${type}/${id}`;
}

/** Creates the audit entry of a stored resource. */
export function createStoreEntry(
  writeResult: SupportingResourceChange,
  resource: NamedResource,
  actor: Actor,
): NewAuditEntry {
  const operation =
    writeResult === 'kept'
      ? ({ action: 'create', status: 201 } as const)
      : ({ action: 'update', status: 200 } as const);
  return doneEntry(actor, { time: Date.now(), what: addressOf(resource), ...operation });
}

/** Creates the audit entry of a removal of a type, or of all. */
export function createRemovalEntry(type: string | undefined, actor: Actor): NewAuditEntry {
  const target = `${supportingResourcesPath}${type === undefined ? '' : `/${type}`}`;
  return doneEntry(actor, { time: Date.now(), action: 'delete', what: target, status: 200 });
}
