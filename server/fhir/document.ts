import { fhirPath, pathOf } from '../../core/api/contract.ts';
import { documentSet, type Bundle, type DocumentEntry, type DocumentSet } from '../../core/fhir/bundle.ts';
import { withoutVersion } from '../../core/fhir/origin.ts';
import { limits } from '../../core/fhir/limits.ts';
import type { NamedLiteral } from '../../core/fhir/literals.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { rowsOf } from '../../core/fhir/element-rows.ts';
import { isR4Type } from '../../core/fhir/r4-names.ts';
import { parseReference } from '../../core/fhir/reference.ts';
import { isResourceType, resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { Resolution, SharedStore } from '../store/store.ts';
import type { Run } from './drafts.ts';

/** Bytes of the records of one document. */
const mostBytes = 32 * 2 ** 20;

/** Reasons why a resource is not in a document. */
const reasons = defineMessages('document', {
  unknown: '{reference} is not stored here.',
  refused: '{reference} can’t be read with this token.',
  beyond: '{reference} is omitted because the document would be too large.',
  ambiguous: '{reference} is omitted because several imports have different resources of this name.',
  otherImport: '{reference} came with another import than this record.',
});

type Reason = (parameters: { readonly reference: string }) => Message;

export interface DocumentParts {
  readonly store: Pick<SharedStore, 'readBytes' | 'supportingResources'>;
  readonly run: Run;
  readonly clock: () => number;
  readonly newId: () => string;
}

/** Record and permissions of a document request. */
export interface DocumentRequest {
  readonly type: ResourceType;
  readonly id: string;
  /** The server's address, without a path. */
  readonly base: string;
  /** Called for types of supporting resources as well. */
  readonly canRead: (type: string) => boolean;
}

/**
 * Returns the document of a record (row 93, FHIR R4 composition-operation-document.html): the record with
 * the text `bytes`, then each referenced record and supporting resource once, in the order of
 * documents.html: subject and encounter, author, attester and custodian, then the sections. Resources that
 * are missing or not permitted are listed at the end.
 */
export async function documentOf(
  { type, id, base, canRead }: DocumentRequest,
  bytes: Buffer,
  { store, run, clock, newId }: DocumentParts,
): Promise<Bundle> {
  const documentEntries: DocumentEntry[] = [{ fullUrl: base + pathOf(type, id), bytes }];
  const includedNames = new Set([`${type}/${id}`]);
  const missingReferences: DocumentSet['missing'][number][] = [];
  let size = bytes.length;
  for (const literal of inOrder(type, await run('literals', [bytes.toString()]))) {
    const reason = await take(literal.reference);
    if (reason) missingReferences.push({ path: literal.path, message: reason(literal) });
  }
  return documentSet({
    uuid: newId(),
    timestamp: new Date(clock()).toISOString(),
    parts: documentEntries,
    missing: missingReferences,
  });

  /**
   * Adds the referenced record under an address that resolves within the Bundle. Returns the reason if it
   * cannot.
   */
  async function take(reference: string): Promise<Reason | undefined> {
    const {
      id: referencedId = '',
      type: ofType,
      base: referencedBase = '',
    } = parseReference(reference) ?? {};
    const urn = referencedBase.startsWith('urn:');
    const types = referencedBase === '' || urn || referencedBase === base + fhirPath ? typesOf(ofType) : [];
    if (types.some((candidateType) => includedNames.has(`${candidateType}/${referencedId}`)))
      return undefined;
    for (const candidateType of types) {
      if (!canRead(candidateType)) return reasons.refused;
      const record = await store.readBytes(candidateType, referencedId);
      if (!record || !('bytes' in record)) continue;
      size += record.bytes.length;
      if (documentEntries.length >= limits.page || size > mostBytes) return reasons.beyond;
      includedNames.add(`${candidateType}/${referencedId}`);
      documentEntries.push({
        fullUrl: urn ? reference : base + pathOf(candidateType, referencedId),
        bytes: record.bytes,
      });
      return undefined;
    }
    return referencedId === '' || isResourceType(ofType ?? '')
      ? reasons.unknown
      : applySupportingResource(reference, ofType);
  }

  async function applySupportingResource(
    reference: string,
    ofType: string | undefined,
  ): Promise<Reason | undefined> {
    if (ofType !== undefined && !isR4Type(ofType)) return reasons.unknown;
    if (!canRead(ofType ?? 'Resource')) return reasons.refused;
    const supportingResource = await readIntactSupportingResource(reference);
    if (!supportingResource) return reasons.unknown;
    if (supportingResource === 'ambiguous') return reasons.ambiguous;
    const name = `${supportingResource.type}/${supportingResource.id}`;
    const identity = `${supportingResource.source} ${name}`;
    if (includedNames.has(identity)) return undefined;
    const text = Buffer.from(supportingResource.text);
    size += text.length;
    if (documentEntries.length >= limits.page || size > mostBytes) return reasons.beyond;
    includedNames.add(identity);
    // A relative reference is resolved against the address of the record that contains it.
    const { base: referencedBase } = parseReference(reference) ?? {};
    documentEntries.push({
      fullUrl: referencedBase === undefined ? `${base}${fhirPath}/${name}` : withoutVersion(reference),
      bytes: text,
    });
    return supportingResource.isFromOtherImport && reasons.otherImport;
  }

  /** A damaged resource counts as missing. */
  async function readIntactSupportingResource(reference: string): Promise<Resolution> {
    try {
      const context = { ownAddress: base + fhirPath, record: { type, id } };
      return await store.supportingResources.resolve(reference, context);
    } catch (error) {
      if (error instanceof FhirError) return undefined;
      throw error;
    }
  }
}

/** References in the order of R4's elements. References in extensions and contained resources come last. */
function inOrder(type: ResourceType, literals: readonly NamedLiteral[]): readonly NamedLiteral[] {
  const elements = Object.keys(rowsOf(type) ?? {}).filter((name) => !inherited.has(name));
  const getOrder = ({ path }: NamedLiteral) => {
    const elementIndex = elements.indexOf(/^[^.[]+\.([^.[]+)/.exec(path)?.[1] ?? '');
    return elementIndex === -1 ? elements.length : elementIndex;
  };
  return literals.toSorted((a, b) => getOrder(a) - getOrder(b));
}

/** Elements of every resource, which may hold references too. */
const inherited: ReadonlySet<string> = new Set(['meta', 'contained', 'extension', 'modifierExtension']);

function typesOf(typeName: string | undefined): readonly ResourceType[] {
  if (typeName === undefined) return resourceTypes;
  return isResourceType(typeName) ? [typeName] : [];
}
