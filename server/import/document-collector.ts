/** Collects the entries of each document of an import, so that the document can go out as it came in. */
import { addressBySource, createOrigin, isUrn, isBatch } from '../../core/fhir/origin.ts';
import type { ImportEntry } from '../../core/import/entry.ts';
import type { DocumentOfImport } from '../fhir/imported-documents.ts';
import { sumOfEntry, type ImportedDocumentEntry, type StoredDocumentEntry } from '../store/documents.ts';

/** Resource that an entry stored, or that was stored before. */
export interface StoredResource {
  readonly type: string;
  readonly id: string;
  readonly source: string;
  readonly text: string;
  /** Number of its version, if it is a record. */
  readonly version?: number;
  /** Count of its rewritten links. */
  readonly links?: number;
  /** Address of its entry. */
  readonly fullUrl?: string | undefined;
}

interface OpenDocument {
  readonly head: string;
  readonly entryCount: number;
  readonly entries: ImportedDocumentEntry[];
}

/** Entries of a document, at most. A larger one is not kept as a document. */
const maxEntries = 10_000;

export class DocumentCollector {
  private readonly batch: string;
  private openDocument: OpenDocument | undefined;

  constructor(batch: string) {
    this.batch = batch;
  }

  /** Adds the entry after its result. Returns the document that it completes. */
  add(
    { bundlePlace, path, fullUrl }: ImportEntry,
    resource: StoredResource | undefined,
  ): DocumentOfImport | undefined {
    if (!bundlePlace) return undefined;
    const { bundle, index } = bundlePlace;
    const { head, entryCount } = bundle;
    if (index === 0)
      this.openDocument =
        head === undefined || entryCount > maxEntries ? undefined : { head, entryCount, entries: [] };
    const document = this.openDocument;
    if (!document) return undefined;
    // A Bundle in an entry of the document has no resource of its own.
    if (document.entries.length !== index) {
      this.openDocument = undefined;
      return undefined;
    }
    document.entries.push(resource ? describeEntry(resource, index === 0) : { missing: fullUrl ?? path });
    if (document.entries.length < document.entryCount) return undefined;
    this.openDocument = undefined;
    return { ...document, batch: this.batch };
  }
}

function describeEntry(
  { type, id, source, text, version, links = 0, fullUrl }: StoredResource,
  isFirst: boolean,
): StoredDocumentEntry {
  const isTold = fullUrl === addressBySource(source, { type, id });
  return {
    type,
    id,
    source,
    sum: sumOfEntry(text),
    ...(isFirst && version !== undefined && { version }),
    ...(links > 0 && { links }),
    ...(fullUrl !== undefined && !isTold && { fullUrl }),
  };
}

/** Returns source and outgoing address of a record. Below a base, the address follows a new id. */
export function locateRecord(
  name: { readonly type: string; readonly id: string },
  {
    batch,
    fullUrl,
    keepIds,
  }: { readonly batch: string; readonly fullUrl?: string | undefined; readonly keepIds: boolean },
): Pick<StoredResource, 'source' | 'fullUrl'> {
  const { source, fullUrl: address } = createOrigin(batch, fullUrl);
  const isStated = keepIds || isUrn(source) || isBatch(source) || source === address;
  return { source, fullUrl: isStated ? fullUrl?.trim() : addressBySource(source, name) };
}
