/** Puts the entries of a document that an import brought into a document again. */
import { fhirPath, pathOf } from '../../core/api/contract.ts';
import { addressBySource, isBase, withoutVersion } from '../../core/fhir/origin.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { isResourceType } from '../../core/fhir/resource.ts';
import { listReferences, readLink, rewriteReferences } from '../../core/fhir/references-in-text.ts';
import { sumOfEntry, type ImportedDocument, type StoredDocumentEntry } from '../store/documents.ts';
import type { SharedStore } from '../store/store.ts';
import { reasons, type DocumentBuilder, type DocumentRequest } from './document-builder.ts';

interface DocumentSource {
  readonly request: DocumentRequest;
  readonly document: ImportedDocument;
  /** Current text of its Composition. */
  readonly bytes: Buffer;
  readonly store: Pick<SharedStore, 'readBytes' | 'readVersion' | 'supportingResources'>;
}

/** An entry with the text of its resource. */
interface ReadEntry extends StoredDocumentEntry {
  readonly index: number;
  readonly address: string;
  /** Address that it came with, if its resource has another id now. */
  readonly formerAddress?: string | undefined;
  /** Base of its relative references. */
  readonly base: string;
  readonly text: string;
}

/** State of a document since its import: all as it came, the Composition as it came, or another Composition. */
export type DocumentState = 'same' | 'incomplete' | 'edited';

/**
 * Adds the entries in their order. Entries that the imported Composition led to and that its current version does not lead to
 * are left out.
 */
export async function addImportedEntries(
  builder: DocumentBuilder,
  source: DocumentSource,
): Promise<DocumentState> {
  const { document, request, bytes } = source;
  const entries: ReadEntry[] = [];
  let isUnchanged = true;
  for (const [index, entry] of document.entries.entries()) {
    const path = `Bundle.entry[${index}]`;
    if ('missing' in entry) {
      builder.note(path, entry.missing, reasons.unknown);
      isUnchanged = false;
      continue;
    }
    const { type, id } = entry;
    const text = request.canRead(type) ? await readText(entry, source) : undefined;
    if (text === undefined) {
      builder.note(path, `${type}/${id}`, request.canRead(type) ? reasons.unknown : reasons.refused);
      isUnchanged = false;
      continue;
    }
    if (sumOfEntry(text) !== entry.sum) isUnchanged = false;
    entries.push({ ...entry, index, text, ...(await locate(entry, source)) });
  }
  const links = new DocumentLinks(entries);
  const [composition] = document.entries;
  const isEdited = composition !== undefined && 'sum' in composition && composition.sum !== sumOfEntry(bytes);
  const excluded = isEdited ? await findReleased(links, composition, source) : new Set<ReadEntry>();
  for (const entry of entries) {
    if (excluded.has(entry)) continue;
    const { type, id, index } = entry;
    const name = `${type}/${id}`;
    const identity = isResourceType(type) ? name : `${entry.source} ${name}`;
    const bytes = Buffer.from(links.restore(entry));
    const reason = builder.add(identity, { fullUrl: entry.address, bytes }, Infinity);
    if (!reason) continue;
    builder.note(`Bundle.entry[${index}]`, name, reason);
    isUnchanged = false;
  }
  if (isEdited) return 'edited';
  return isUnchanged ? 'same' : 'incomplete';
}

/** Returns the current text of an entry's resource. A damaged one counts as missing. */
async function readText(
  { type, id, source }: StoredDocumentEntry,
  { request, bytes, store }: DocumentSource,
): Promise<string | undefined> {
  if (type === request.type && id === request.id) return bytes.toString();
  try {
    if (isResourceType(type)) {
      const record = await store.readBytes(type, id);
      return record && 'bytes' in record ? record.bytes.toString() : undefined;
    }
    const resource = await store.supportingResources.read({ type, id, source });
    return typeof resource === 'object' ? resource.text : undefined;
  } catch (error) {
    if (error instanceof FhirError) return undefined;
    throw error;
  }
}

async function locate(
  entry: StoredDocumentEntry,
  { request, store }: DocumentSource,
): Promise<Pick<ReadEntry, 'address' | 'base' | 'formerAddress'>> {
  const { type, id, source } = entry;
  const ownBase = request.base + fhirPath;
  const address =
    entry.fullUrl ??
    addressBySource(source, entry) ??
    (isResourceType(type) ? request.base + pathOf(type, id) : `${ownBase}/${type}/${id}`);
  const origin = isResourceType(type) ? await store.supportingResources.readOrigin(entry) : undefined;
  const isRenamed = origin?.fullUrl !== undefined && origin.fullUrl !== withoutVersion(address);
  return {
    address,
    base: isBase(source) ? source : ownBase,
    ...(isRenamed && { formerAddress: origin.fullUrl }),
  };
}

/** Returns the entries that the imported version of the Composition led to, and that its current one does not lead to. */
async function findReleased(
  links: DocumentLinks,
  { version = 0 }: StoredDocumentEntry,
  { request, store, bytes }: DocumentSource,
): Promise<ReadonlySet<ReadEntry>> {
  const imported = await store.readVersion(request.type, request.id, version);
  if (!imported || !('text' in imported)) return new Set();
  const current = links.reachableFrom(bytes.toString());
  return new Set([...links.reachableFrom(imported.text)].filter((entry) => !current.has(entry)));
}

/** References between the entries of a document. */
class DocumentLinks {
  private readonly entries: readonly ReadEntry[];
  private readonly byAddress = new Map<string, ReadEntry>();
  /** Records by their address at the source, if they have another id now. */
  private readonly renamed = new Map<string, ReadEntry>();
  /** Records by type and id. */
  private readonly records = new Map<string, ReadEntry>();

  constructor(entries: readonly ReadEntry[]) {
    this.entries = entries;
    for (const entry of entries) {
      const { type, id, address, formerAddress } = entry;
      this.byAddress.set(withoutVersion(address), entry);
      if (formerAddress !== undefined) this.renamed.set(formerAddress, entry);
      if (isResourceType(type)) this.records.set(`${type}/${id}`, entry);
    }
  }

  /**
   * Returns the text of an entry with references that resolve in the document: to the new id of a record, and to the address of a
   * record that a rewritten reference names by type and id.
   */
  restore(entry: ReadEntry): string {
    const { text, base, links = 0 } = entry;
    if (this.renamed.size === 0 && links === 0) return text;
    return rewriteReferences(text, (reference) => {
      const link = readLink(reference, base);
      if (!link) return undefined;
      const { address, type, id, suffix } = link;
      const isRelative = !/^[a-z][a-z\d+.-]*:/i.test(reference);
      const record =
        this.renamed.get(address) ??
        (links > 0 && isRelative ? this.records.get(`${String(type)}/${id}`) : undefined);
      if (!record || record.address === address) return undefined;
      const isBelowBase = isRelative && record.address.startsWith(`${base}/`);
      return (isBelowBase ? record.address.slice(base.length + 1) : record.address) + suffix;
    }).text;
  }

  /** Returns the entries that a text of the Composition leads to, also by other entries. */
  reachableFrom(compositionText: string): Set<ReadEntry> {
    const reached = new Set<ReadEntry>();
    const [composition] = this.entries;
    const pending = [{ text: compositionText, base: composition?.base ?? '' }];
    for (let next = pending.pop(); next; next = pending.pop()) {
      for (const reference of listReferences(next.text)) {
        const entry = this.entryOf(reference, next.base);
        if (!entry || entry === composition || reached.has(entry)) continue;
        reached.add(entry);
        pending.push(entry);
      }
    }
    return reached;
  }

  private entryOf(reference: string, base: string): ReadEntry | undefined {
    const link = readLink(reference, base);
    if (!link) return undefined;
    const { address, type, id } = link;
    return (
      this.byAddress.get(address) ??
      this.renamed.get(address) ??
      this.records.get(`${type ?? ''}/${id}`) ??
      this.entries.find((entry) => entry.type === type && entry.id === id)
    );
  }
}
