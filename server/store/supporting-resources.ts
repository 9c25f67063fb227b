/**
 * Supporting resources: resources of other types that came with records, stored unchanged. Only their
 * subjects are derived. The identity of a resource is its source, type and id (core/fhir/origin.ts).
 *
 * Rules for every engine. The engines query and write the table `companion` (sqlite-companions.ts,
 * postgres/companions.ts).
 */
import { isBase, isUrn, withoutVersion, type Origin } from '../../core/fhir/origin.ts';
import {
  listSubjectReferences,
  type NamedResource,
  type ParsedSupportingResource,
  type SupportingResource,
} from '../../core/fhir/supporting-resource.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { parseReference } from '../../core/fhir/reference.ts';
import { scan } from '../../core/json/scan.ts';
import { defineMessages } from '../../core/text/message.ts';
import { resolveRecord, type ImportedRecordName, type ReferenceContext } from './record-origins.ts';
import { doneEntry, type NewAuditEntry } from './audit-chain.ts';
import { isIntact } from './checksum.ts';
import type { Actor } from './actor.ts';
import type { StoredLine, WrittenResource } from './import-batches.ts';

const messages = defineMessages('companion', {
  damaged: 'The stored text of this {type} is damaged. Import it again.',
  severalSources: 'Several sources have {reference}. Name the source.',
});

/** Result of storing a supporting resource. */
export type SupportingWriteResult = 'kept' | 'replaced' | 'unchanged';
/** Results that change the store. */
export type SupportingResourceChange = Exclude<SupportingWriteResult, 'unchanged'>;

export interface SupportingResourceCount {
  readonly type: string;
  readonly count: number;
}

/** Name of a supporting resource. Several sources may have a resource of this type and id. */
export interface SourcedName extends NamedResource {
  readonly source?: string | undefined;
}

/** Identity of a supporting resource. */
export interface ResourceIdentity extends NamedResource {
  readonly source: string;
}

/** A stored supporting resource. */
export interface StoredSupportingResource extends SupportingResource {
  readonly source: string;
  /** True if neither the source nor the import of the referring record brought it. */
  readonly isFromOtherImport?: true;
}

/** Result of resolving a reference. `ambiguous` if several sources have different resources of that name. */
export type Resolution = StoredSupportingResource | 'ambiguous' | undefined;

export interface SupportingResourceStore {
  /**
   * Stores a resource with its audit entry and its line of a batch. Nothing changes if the result is `unchanged`.
   *
   * @param batchLine - Absent if no batch is listed.
   */
  store(
    resource: ParsedSupportingResource,
    batch: string,
    actor: Actor,
    batchLine?: StoredLine,
  ): Promise<SupportingWriteResult>;
  /**
   * Undoes what a batch did to resources, latest first, in one transaction: puts a former text back, or removes a resource that
   * the batch brought. What another batch has replaced since stays, and gets the former text in its own line.
   */
  undo(batch: string, resources: readonly WrittenResource[], actor: Actor): Promise<void>;
  /** Returns the result that `store` would have. */
  previewWrite(resource: ParsedSupportingResource, batch: string): Promise<SupportingWriteResult>;
  /** Returns the resource of a source, or the only one with this name. Rejects with FhirError `damaged`. */
  read(name: SourcedName): Promise<Resolution>;
  /**
   * Finds the resource of a literal reference: by its fullUrl, by type and id, or by the id of a `urn:`. Rejects with
   * FhirError `damaged`.
   */
  resolve(reference: string, context?: ReferenceContext): Promise<Resolution>;
  /**
   * Finds the record of a literal reference by the address that it came with, from the source of the referring record. Undefined
   * if none came with it: its type and id may name a local record.
   */
  resolveRecord(
    reference: string,
    context?: ReferenceContext,
  ): Promise<ImportedRecordName | 'ambiguous' | undefined>;
  /** Returns the origin of a record. Undefined if no import stored it. */
  readOrigin(record: NamedResource): Promise<Origin | undefined>;
  /** Returns a text that changes whenever a resource is stored or removed. */
  getFingerprint(): Promise<string>;
  /** Calls the listener if resources may have changed. */
  onChange(listener: () => void): void;
  /** Returns the number of resources of each type, sorted by type. */
  countByType(): Promise<readonly SupportingResourceCount[]>;
  /** Returns names sorted by id and source, after a name. */
  listNames(
    type: string,
    after: SourcedName | undefined,
    limit: number,
  ): Promise<readonly ResourceIdentity[]>;
  /** Removes the resources of a type, or all. Returns their number. Pauses for other work. */
  remove(type: string | undefined, actor: Actor): Promise<number>;
}

/** A stored row. `body` is UTF-8, `sha256` is hex. */
export interface SupportingResourceRow extends NamedResource {
  readonly source: string;
  /** Batch of the import that stored it. */
  readonly batch: string;
  readonly fullUrl: string | null;
  readonly body: unknown;
  readonly sha256: unknown;
}

/** Queries of an engine. Each returns the latest rows, at most {@link maxCandidates}. */
export interface SupportingResourceLookups {
  readonly findByName: (name: NamedResource) => Promise<readonly SupportingResourceRow[]>;
  readonly findByUrl: (fullUrl: string) => Promise<readonly SupportingResourceRow[]>;
  /** Finds resources with one of two ids. */
  readonly findByIds: (id: string, otherId: string) => Promise<readonly SupportingResourceRow[]>;
  readonly findOfSource: (name: ResourceIdentity) => Promise<SupportingResourceRow | undefined>;
  readonly findOrigin: (record: NamedResource) => Promise<Origin | undefined>;
  /** Finds the records that came with an address. */
  readonly findRecordsByUrl: (fullUrl: string) => Promise<readonly ImportedRecordName[]>;
}

/** Candidates of a reference that are compared. */
export const maxCandidates = 50;

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
    async read({ source, ...name }: SourcedName): Promise<Resolution> {
      if (source !== undefined) return toSupportingResource(await lookups.findOfSource({ ...name, source }));
      return chooseResource(await lookups.findByName(name), undefined);
    },
    resolve: (reference: string, context: ReferenceContext = {}) =>
      resolveReference(lookups, reference, context),
    resolveRecord: (reference: string, context: ReferenceContext = {}) =>
      resolveRecord(lookups, reference, context),
    readOrigin: (record: NamedResource) => lookups.findOrigin(record),
    onChange: (listener: () => void) => void listeners.push(listener),
    notifyListeners: (): void => {
      for (const listener of listeners) listener();
    },
  };
}

/** Returns the `urn:` of a resource. */
export function urnOf({ fullUrl }: ParsedSupportingResource): string | undefined {
  return fullUrl !== undefined && isUrn(fullUrl) ? fullUrl : undefined;
}

/**
 * Returns the source under which a resource is stored. A `urn:` stands for one content, so other content under it
 * belongs to its batch alone.
 *
 * @param rowsOfUrn - Rows with the `urn:` of the resource.
 */
export function chooseSource(
  resource: ParsedSupportingResource,
  batch: string,
  rowsOfUrn: readonly SupportingResourceRow[],
): string {
  const owner = rowsOfUrn.find(({ source }) => source === resource.source);
  const isOther =
    owner !== undefined &&
    (owner.type !== resource.type ||
      owner.id !== resource.id ||
      (isIntact(owner.body, owner.sha256) && !hasText(owner, resource)));
  return isOther ? batch : (resource.source ?? batch);
}

/** Returns the result of storing a resource, given the row with its identity: source, type and id. */
export function decideWrite(
  resource: ParsedSupportingResource,
  row: SupportingResourceRow | undefined,
): SupportingWriteResult {
  if (!row) return 'kept';
  return hasText(row, resource) && (row.fullUrl ?? undefined) === resource.fullUrl ? 'unchanged' : 'replaced';
}

/** Returns the source of a resource and the result of storing it. */
export async function previewWriteIn(
  { findByUrl, findOfSource }: SupportingResourceLookups,
  resource: ParsedSupportingResource,
  batch: string,
): Promise<{ readonly source: string; readonly writeResult: SupportingWriteResult }> {
  const urn = urnOf(resource);
  const source = chooseSource(resource, batch, urn === undefined ? [] : await findByUrl(urn));
  const { type, id } = resource;
  return { source, writeResult: decideWrite(resource, await findOfSource({ type, id, source })) };
}

function hasText(row: SupportingResourceRow, { text }: ParsedSupportingResource): boolean {
  return isIntact(row.body, row.sha256) && row.body.toString() === text;
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
function toSupportingResource(row: SupportingResourceRow | undefined): StoredSupportingResource | undefined {
  if (!row) return undefined;
  const { type, id, source, fullUrl, body, sha256 } = row;
  if (isIntact(body, sha256))
    return { type, id, source, text: body.toString(), ...(fullUrl !== null && { fullUrl }) };
  throw new FhirError('damaged', {
    ...messages.damaged({ type }),
    diagnostics: `${type}/${id}`,
  });
}

/** Implements {@link SupportingResourceStore.resolve}. */
async function resolveReference(
  lookups: SupportingResourceLookups,
  reference: string,
  { ownAddress = '', record }: ReferenceContext,
): Promise<Resolution> {
  const address = withoutVersion(reference);
  const { id, type, base = '' } = parseReference(address) ?? { id: '' };
  if (id === '' || base === '#') return undefined;
  const origin = record && (await lookups.findOrigin(record));
  if (base === '' || base === ownAddress) {
    if (type === undefined) return undefined;
    // R4 bundle.html#references: relative to the base of the record's own address.
    const sameBase =
      origin && isBase(origin.source) ? await lookups.findByUrl(`${origin.source}/${type}/${id}`) : [];
    const rows = sameBase.length > 0 ? sameBase : await lookups.findByName({ type, id });
    return chooseResource(rows, origin);
  }
  const rowsOfUrl = await lookups.findByUrl(address);
  // An address of another server names the latest resource with it. A `urn:` may have been copied.
  if (rowsOfUrl.length > 0)
    return isUrn(base) ? chooseResource(rowsOfUrl, origin, true) : toSupportingResource(rowsOfUrl[0]);
  // An id without a type is ambiguous if two resources have it.
  if (type === undefined) return chooseResource(await lookups.findByIds(id, id.toUpperCase()), origin);
  // A resource stored under an address does not match another server's address.
  const rows = await lookups.findByName({ type, id });
  return chooseResource(
    rows.filter(({ fullUrl }) => fullUrl === null),
    origin,
  );
}

/**
 * Chooses the resource that a record means: the one of its own source. Otherwise the only one, which another import may have
 * brought.
 *
 * @param isSameAddress - True if the reference names all rows by their address.
 */
function chooseResource(
  rows: readonly SupportingResourceRow[],
  origin: Origin | undefined,
  isSameAddress = false,
): Resolution {
  const ofBatch = rows.filter(({ source, batch }) => source === origin?.batch || batch === origin?.batch);
  const own = rows.find(({ source }) => source === origin?.source);
  // No source of a base or urn stands for the other resources of its import.
  const canUseBatch = origin !== undefined && !isBase(origin.source);
  if (own && !isSameAddress) return toSupportingResource(own);
  const candidates = (canUseBatch || isSameAddress) && countContents(ofBatch) === 1 ? ofBatch : rows;
  if (countContents(candidates) > 1) return 'ambiguous';
  const resource = toSupportingResource(candidates[0]);
  const isOther = origin !== undefined && !isSameAddress && candidates.every((row) => !ofBatch.includes(row));
  return resource && isOther ? { ...resource, isFromOtherImport: true } : resource;
}

/** Returns the number of different resources. */
function countContents(rows: readonly SupportingResourceRow[]): number {
  return new Set(rows.map(({ type, id, sha256 }) => `${type}/${id} ${String(sha256)}`)).size;
}

/** A stored row with its key. */
export interface KeyedRow extends SupportingResourceRow {
  readonly pk: number;
}

/** Resources with a name that an erasure removes: those of its source, or all for an empty source. */
export interface ErasureTargets {
  readonly targets: readonly KeyedRow[];
  /** Ids that reference the targets. */
  readonly ids: readonly string[];
  /** True if no other source has a resource of this name. */
  readonly isOnly: boolean;
}

/**
 * Chooses the resources to erase.
 *
 * @throws FhirError `multiple-matches` if no source is named and several have the name.
 */
export function chooseErasureTargets(
  { type, id, source }: SourcedName,
  rows: readonly KeyedRow[],
): ErasureTargets {
  const sources = new Set(rows.map((row) => row.source));
  if (source === undefined && sources.size > 1)
    throw new FhirError('multiple-matches', messages.severalSources({ reference: `${type}/${id}` }));
  const isAll = source === undefined || source === '';
  const targets = isAll ? rows : rows.filter((row) => row.source === source);
  const urlIds = targets.flatMap(({ fullUrl }) => parseReference(fullUrl ?? '')?.id ?? []);
  return { targets, ids: [...new Set([id, ...urlIds])], isOnly: targets.length === rows.length };
}

/** Returns true if a resource is about one of the targets. A damaged one counts as being about it. */
export function isAboutTarget(row: KeyedRow, { targets, ids, isOnly }: ErasureTargets): boolean {
  if (!isIntact(row.body, row.sha256)) return true;
  return listSubjectReferences(scan(row.body.toString()).root).some((reference) => {
    const address = withoutVersion(reference);
    const { id = '', base = '' } = parseReference(address) ?? {};
    if (!ids.includes(id)) return false;
    if (base !== '' && !isUrn(base))
      return isOnly || targets.some(({ fullUrl, source }) => fullUrl === address || source === base);
    return (
      isOnly ||
      targets.some(
        ({ fullUrl, source, batch }) =>
          fullUrl === address || source === row.source || (batch === row.batch && !isBase(row.source)),
      )
    );
  });
}

/** Returns the identities of erased resources: the requested one, then those about it. Empty if none was stored. */
export function listErased(
  { type, id, source }: SourcedName,
  rows: readonly KeyedRow[],
): readonly ResourceIdentity[] {
  if (rows.length === 0) return [];
  const ownSource = source ?? rows.find((row) => row.type === type && row.id === id)?.source ?? '';
  const identities = [{ type, id, source: ownSource }, ...rows].map((row) => {
    return { type: row.type, id: row.id, source: row.source };
  });
  return [...new Map(identities.map((identity) => [JSON.stringify(identity), identity])).values()];
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

/** Creates the audit entry of the undo of one resource. */
export function createUndoEntry(isRestored: boolean, resource: NamedResource, actor: Actor): NewAuditEntry {
  const operation = { action: isRestored ? 'update' : 'delete', status: 200 } as const;
  return doneEntry(actor, { time: Date.now(), what: addressOf(resource), ...operation });
}

/** Creates the audit entry of a removal of a type, or of all. */
export function createRemovalEntry(type: string | undefined, actor: Actor): NewAuditEntry {
  const target = `${supportingResourcesPath}${type === undefined ? '' : `/${type}`}`;
  return doneEntry(actor, { time: Date.now(), action: 'delete', what: target, status: 200 });
}
