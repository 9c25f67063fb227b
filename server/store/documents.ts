import type { NamedResource } from '../../core/fhir/supporting-resource.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import * as v from 'valibot';
import { checksumOf } from './checksum.ts';

/** Resource of a document as the import stored it. */
const StoredEntry = v.object({
  type: v.string(),
  id: v.string(),
  /** Source of the resource. */
  source: v.string(),
  /** Start of the checksum of its text. Another text makes another document. */
  sum: v.string(),
  /** Number of the version of the Composition. */
  version: v.exactOptional(v.number()),
  /** Count of its rewritten links; absent for none. */
  links: v.exactOptional(v.number()),
  /** Address of its entry, if its source does not tell it. */
  fullUrl: v.exactOptional(v.string()),
});

/** Entry whose resource is not stored, with the name for its reader. */
const MissingEntry = v.object({ missing: v.string() });

const DocumentEntries = v.array(v.union([StoredEntry, MissingEntry]));

export type StoredDocumentEntry = v.InferOutput<typeof StoredEntry>;
export type ImportedDocumentEntry = StoredDocumentEntry | v.InferOutput<typeof MissingEntry>;

/** Document of an import. Its name is that of its Composition. */
export interface ImportedDocument extends NamedResource {
  /** JSON of the members of its Bundle, without braces and without entries. */
  readonly head: string;
  /** Entries in order. */
  readonly entries: readonly ImportedDocumentEntry[];
}

/** Stores what the resources of a document do not tell themselves. An erasure of the Composition removes it. */
export interface DocumentStore {
  read(composition: NamedResource): Promise<ImportedDocument | undefined>;
  /** Stores a document in place of an earlier one of its Composition. */
  store(document: ImportedDocument): Promise<void>;
}

/** Returns the start of a checksum that an entry stores. */
export function sumOfEntry(text: string | Buffer): string {
  return checksumOf(text).toString('hex', 0, 8);
}

/** Returns the entries of a stored row. */
export function parseDocumentEntries(text: string): readonly ImportedDocumentEntry[] {
  const entries: unknown = JSON.parse(text);
  return matchesSchema(DocumentEntries, entries) ? entries : [];
}
