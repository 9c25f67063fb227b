import type { FhirError } from '../../../core/fhir/outcome.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { damagedText, isSound } from '../checksum.ts';
import { largestOf } from '../page-size.ts';
import type { VersionFacts } from '../store.ts';
import type { Value } from '../sql.ts';

/** The columns of a version by which its text is known to be the one that was written. */
export const textColumns = "v.body, upper(encode(v.sha256, 'hex')) AS sum";

/** A stored text where it is the one that was written. */
export function soundText([text, sum]: readonly Value[]): string | undefined {
  return typeof text === 'string' && isSound(Buffer.from(text), sum) ? text : undefined;
}

/** What rows with a text in a column say of how their page is sent: all are at hand, and a large one goes text by text. */
export function sizeOf(rows: readonly (readonly Value[])[], column: number): { readonly largest?: number } {
  return largestOf(rows.map((row) => Buffer.byteLength(String(row[column] ?? ''))));
}

interface Damaged {
  readonly fault: FhirError;
}

/** A version with its stored text where it is the one that was written; else with the fault that stands in its place (row 89). */
function checked<Facts extends VersionFacts, Told>(
  type: ResourceType,
  facts: Facts,
  [text, sum]: readonly Value[],
  told: (text: string, bytes: Buffer) => Told,
): (Facts & Told) | (Facts & Damaged) {
  if (typeof text === 'string') {
    const bytes = Buffer.from(text);
    if (isSound(bytes, sum)) return { ...facts, ...told(text, bytes) };
  }
  const name = { type, id: facts.id, version: facts.version };
  return { ...facts, fault: damagedText(name, 'A backup of the database may hold it whole') };
}

/** A version with its JSON in UTF-8. */
export function asBytes<Facts extends VersionFacts>(type: ResourceType, facts: Facts, row: readonly Value[]) {
  return checked(type, facts, row, (_, bytes) => ({ bytes }));
}

/** A version with its JSON as text. */
export function asText<Facts extends VersionFacts>(type: ResourceType, facts: Facts, row: readonly Value[]) {
  return checked(type, facts, row, (text) => ({ text }));
}
