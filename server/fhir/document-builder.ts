import { fhirPath, pathOf } from '../../core/api/contract.ts';
import type { DocumentEntry, DocumentSet } from '../../core/fhir/bundle.ts';
import { limits } from '../../core/fhir/limits.ts';
import { isBase, withoutVersion } from '../../core/fhir/origin.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { isR4Type } from '../../core/fhir/r4-names.ts';
import { parseReference } from '../../core/fhir/reference.ts';
import { isResourceType, resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import type { NamedResource } from '../../core/fhir/supporting-resource.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { Resolution, SharedStore } from '../store/store.ts';

/** Bytes of the resources of one document. */
const mostBytes = 32 * 2 ** 20;

/** Reasons why a resource is not in a document. */
export const reasons = defineMessages('document', {
  unknown: '{reference} is not stored here.',
  refused: '{reference} can’t be read with this token.',
  beyond: '{reference} is omitted because the document would be too large.',
  ambiguous: '{reference} is omitted because several imports have different resources of this name.',
  otherImport: '{reference} came with another import than this record.',
});

export type Reason = (parameters: { readonly reference: string }) => Message;

/** Record and permissions of a document request. */
export interface DocumentRequest {
  readonly type: ResourceType;
  readonly id: string;
  /** The server's address, without a path. */
  readonly base: string;
  /** Called for types of supporting resources as well. */
  readonly canRead: (type: string) => boolean;
}

export type DocumentResources = Pick<SharedStore, 'readBytes' | 'supportingResources'>;

/** Builds the entries of a document. Each resource is added once. */
export class DocumentBuilder {
  readonly entries: DocumentEntry[] = [];
  readonly missing: DocumentSet['missing'][number][] = [];
  private readonly request: DocumentRequest;
  private readonly store: DocumentResources;
  /** Names of the included records, and identities of the included supporting resources. */
  private readonly includedNames = new Set<string>();
  private size = 0;

  constructor(request: DocumentRequest, store: DocumentResources) {
    this.request = request;
    this.store = store;
  }

  /**
   * Adds a resource. Returns the reason if the document would be too large.
   *
   * @param identity - Type and id, behind the source of a supporting resource.
   * @param maxEntries - A document that came in with more entries goes out with them.
   */
  add(identity: string, entry: DocumentEntry, maxEntries: number = limits.page): Reason | undefined {
    this.size += entry.bytes.length;
    const isFull = this.entries.length >= maxEntries || this.size > mostBytes;
    if (isFull && this.entries.length > 0) return reasons.beyond;
    this.includedNames.add(identity);
    this.entries.push(entry);
    return undefined;
  }

  note(path: string, reference: string, reason: Reason): void {
    this.missing.push({ path, message: reason({ reference }) });
  }

  /**
   * Adds the resource of a reference of the record under an address that resolves within the Bundle. Returns the reason if
   * it cannot.
   */
  async take(reference: string): Promise<Reason | undefined> {
    const { type: ofType } = parseReference(reference) ?? {};
    const ownRecord = await this.store.supportingResources.resolveRecord(reference, this.context());
    if (ownRecord === 'ambiguous') return reasons.ambiguous;
    if (ownRecord && isResourceType(ownRecord.type)) {
      const reason = await this.takeRecord(reference, [ownRecord.type], ownRecord.id);
      if (reason !== 'absent') return reason;
    }
    const { id = '', base = '' } = parseReference(reference) ?? {};
    const isLocal = base === '' || base.startsWith('urn:') || base === this.ownBase();
    const reason = isLocal ? await this.takeRecord(reference, typesOf(ofType), id) : 'absent';
    if (reason !== 'absent') return reason;
    return id === '' || isResourceType(ofType ?? '')
      ? reasons.unknown
      : this.takeSupportingResource(reference, ofType);
  }

  /** Takes the first record with this id. Returns `absent` if there is none. */
  private async takeRecord(
    reference: string,
    types: readonly ResourceType[],
    id: string,
  ): Promise<Reason | 'absent' | undefined> {
    if (types.some((type) => this.includedNames.has(`${type}/${id}`))) return undefined;
    for (const type of types) {
      if (!this.request.canRead(type)) return reasons.refused;
      const record = await this.store.readBytes(type, id);
      if (!record || !('bytes' in record)) continue;
      const { base } = this.request;
      const fullUrl = reference.startsWith('urn:') ? reference : base + pathOf(type, id);
      const isOther = await this.isOfOtherBase({ type, id });
      const reason = this.add(`${type}/${id}`, { fullUrl, bytes: record.bytes });
      return reason ?? (isOther ? reasons.otherImport : undefined);
    }
    return 'absent';
  }

  /** Returns true if a record and the head of the document came from two different servers. */
  private async isOfOtherBase(name: NamedResource): Promise<boolean> {
    const { supportingResources } = this.store;
    const own = await supportingResources.readOrigin(this.request);
    const other = own && isBase(own.source) ? await supportingResources.readOrigin(name) : undefined;
    return other !== undefined && isBase(other.source) && other.source !== own?.source;
  }

  private async takeSupportingResource(
    reference: string,
    ofType: string | undefined,
  ): Promise<Reason | undefined> {
    if (ofType !== undefined && !isR4Type(ofType)) return reasons.unknown;
    if (!this.request.canRead(ofType ?? 'Resource')) return reasons.refused;
    const resource = await this.resolveIntact(reference);
    if (!resource) return reasons.unknown;
    if (resource === 'ambiguous') return reasons.ambiguous;
    const name = `${resource.type}/${resource.id}`;
    const identity = `${resource.source} ${name}`;
    if (this.includedNames.has(identity)) return undefined;
    // A relative reference is resolved against the address of the record that contains it.
    const { base } = parseReference(reference) ?? {};
    const fullUrl = base === undefined ? `${this.ownBase()}/${name}` : withoutVersion(reference);
    const reason = this.add(identity, { fullUrl, bytes: Buffer.from(resource.text) });
    return reason ?? (resource.isFromOtherImport && reasons.otherImport);
  }

  /** A damaged resource counts as missing. */
  private async resolveIntact(reference: string): Promise<Resolution> {
    try {
      return await this.store.supportingResources.resolve(reference, this.context());
    } catch (error) {
      if (error instanceof FhirError) return undefined;
      throw error;
    }
  }

  private ownBase(): string {
    return this.request.base + fhirPath;
  }

  private context() {
    const { type, id } = this.request;
    return { ownAddress: this.ownBase(), record: { type, id } };
  }
}

function typesOf(typeName: string | undefined): readonly ResourceType[] {
  if (typeName === undefined) return resourceTypes;
  return isResourceType(typeName) ? [typeName] : [];
}
