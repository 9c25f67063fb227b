import type { FhirError } from '../../../core/fhir/outcome.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { damagedText, isIntact } from '../../store/checksum.ts';
import { largestOf } from '../../store/page-size.ts';
import type { VersionMetadata } from '../../store/store.ts';
import type { Value } from '../../store/sql.ts';

/** Columns of a version that {@link readIntactText} compares: text and checksum. */
export const textColumns = "v.body, upper(encode(v.sha256, 'hex')) AS sum";

/** Returns a stored text if its checksum matches. */
export function readIntactText([text, storedSum]: readonly Value[]): string | undefined {
  return typeof text === 'string' && isIntact(Buffer.from(text), storedSum) ? text : undefined;
}

/** Returns the size of the largest text in the rows. Large pages are sent text by text. */
export function sizeOf(rows: readonly (readonly Value[])[], column: number): { readonly largest?: number } {
  return largestOf(rows.map((row) => Buffer.byteLength(String(row[column] ?? ''))));
}

interface DamagedText {
  readonly fault: FhirError;
}

/**
 * Returns the version with its stored text if the checksum matches, otherwise with an error in its place (row
 * 89).
 */
function withVerifiedText<Facts extends VersionMetadata, Told>(
  type: ResourceType,
  metadata: Facts,
  [text, storedSum]: readonly Value[],
  format: (text: string, bytes: Buffer) => Told,
): (Facts & Told) | (Facts & DamagedText) {
  if (typeof text === 'string') {
    const bytes = Buffer.from(text);
    if (isIntact(bytes, storedSum)) return { ...metadata, ...format(text, bytes) };
  }
  const name = { type, id: metadata.id, version: metadata.version };
  return { ...metadata, fault: damagedText(name, 'databaseBackup') };
}

/** Returns a version with its JSON in UTF-8. */
export function asBytes<Facts extends VersionMetadata>(
  type: ResourceType,
  metadata: Facts,
  row: readonly Value[],
) {
  return withVerifiedText(type, metadata, row, (_, bytes) => ({ bytes }));
}

/** Returns a version with its JSON as text. */
export function asText<Facts extends VersionMetadata>(
  type: ResourceType,
  metadata: Facts,
  row: readonly Value[],
) {
  return withVerifiedText(type, metadata, row, (text) => ({ text }));
}
