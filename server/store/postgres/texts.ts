import type { FhirError } from '../../../core/fhir/outcome.ts';
import { damagedText, isSound, type VersionName } from '../checksum.ts';
import { largestOf } from '../page-size.ts';
import type { StoredBytes, StoredVersion, VersionFacts } from '../store.ts';
import type { Value } from '../sql.ts';

/** The columns of a version by which its text is known to be the one that was written. */
export const textColumns = "v.body, upper(encode(v.sha256, 'hex')) AS sum";

/** A stored text where it is the one that was written. */
export function soundText([text, sum]: readonly Value[]): string | undefined {
  return typeof text === 'string' && isSound(Buffer.from(text), sum) ? text : undefined;
}

/** A stored text where it is the one that was written; else the fault that stands in its place (row 89). */
function checked(text: Value | undefined, sum: Value | undefined, name: VersionName): Buffer | FhirError {
  const bytes = typeof text === 'string' ? Buffer.from(text) : undefined;
  return isSound(bytes, sum) ? bytes : damagedText(name, 'A backup of the database may hold it whole');
}

/** What rows with a text in a column say of how their page is sent: all are at hand, and a large one goes text by text. */
export function sizeOf(rows: readonly (readonly Value[])[], column: number): { readonly largest?: number } {
  return largestOf(rows.map((row) => Buffer.byteLength(String(row[column] ?? ''))));
}

type Type = VersionName['type'];

interface Damaged {
  readonly fault: FhirError;
}

/** A version with its JSON in UTF-8. */
export function asBytes<Facts extends VersionFacts>(
  type: Type,
  facts: Facts,
  [text, sum]: readonly Value[],
): (Facts & Pick<StoredBytes, 'bytes'>) | (Facts & Damaged) {
  const content = checked(text, sum, { type, id: facts.id, version: facts.version });
  return Buffer.isBuffer(content) ? { ...facts, bytes: content } : { ...facts, fault: content };
}

/** A version with its JSON as text. */
export function asText<Facts extends VersionFacts>(
  type: Type,
  facts: Facts,
  [text, sum]: readonly Value[],
): (Facts & Pick<StoredVersion, 'text'>) | (Facts & Damaged) {
  const content = checked(text, sum, { type, id: facts.id, version: facts.version });
  return Buffer.isBuffer(content) ? { ...facts, text: String(text) } : { ...facts, fault: content };
}
