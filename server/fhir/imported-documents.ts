import { isUrn } from '../../core/fhir/origin.ts';
import { definitionOf, isResourceType } from '../../core/fhir/resource.ts';
import { sumOfEntry, type ImportedDocumentEntry, type StoredDocumentEntry } from '../store/documents.ts';
import type { SharedStore } from '../store/store.ts';

/** Document of an import whose entries all have a result. */
export interface DocumentOfImport {
  /** JSON of the members of its Bundle, without braces and without entries. */
  readonly head: string;
  readonly entries: readonly ImportedDocumentEntry[];
  readonly batch: string;
}

/** Creates the service that keeps the Bundles of imported documents. */
export function createImportedDocuments({
  documents,
  supportingResources,
}: Pick<SharedStore, 'documents' | 'supportingResources'>) {
  /** Returns an entry with the source that its resource is stored under: other content of a `urn:` belongs to the batch. */
  async function locate(entry: StoredDocumentEntry, batch: string): Promise<StoredDocumentEntry> {
    const { type, id, source, sum } = entry;
    if (isResourceType(type) || !isUrn(source)) return entry;
    const resource = await supportingResources.read({ type, id, source });
    const isOwn = typeof resource === 'object' && sumOfEntry(resource.text) === sum;
    return isOwn ? entry : { ...entry, source: batch, fullUrl: entry.fullUrl ?? source };
  }

  return {
    /** Stores the Bundle of a document if it starts with a stored Composition. */
    async storeDocument({ head, entries, batch }: DocumentOfImport): Promise<void> {
      const [composition] = entries;
      if (!composition || 'missing' in composition) return;
      const { type, id } = composition;
      if (!isResourceType(type) || definitionOf(type).document === undefined) return;
      const located: ImportedDocumentEntry[] = [];
      for (const entry of entries) located.push('missing' in entry ? entry : await locate(entry, batch));
      await documents.store({ type, id, head, entries: located });
    },
  };
}
