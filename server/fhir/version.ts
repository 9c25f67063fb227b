/** A version of a record, made and read: its text is what was sent, stamped. */
import type { WriteOperation } from '../../core/app/history.ts';
import type { Derived } from '../../core/derive/derive.ts';
import { stamp } from '../../core/fhir/record.ts';
import type { JsonObject } from '../../core/json/node.ts';
import { print } from '../../core/json/print.ts';
import { scan } from '../../core/json/scan.ts';
import type { NewVersion, StoredVersion } from '../store/store.ts';
import type { WriteRequest } from './service-requests.ts';

/** Thrown where a stored text is larger than what is parsed here. */
export class LargeText extends Error {
  override readonly name = 'LargeText';
}

/** Stamps a record and prints it as a version. */
export function versionOf(
  record: JsonObject,
  next: Omit<StoredVersion, 'text'>,
  derived: Derived,
  operation: WriteOperation,
  { type, author, requestId }: WriteRequest,
): NewVersion {
  stamp(record, next);
  const text = print(record);
  return {
    ...next,
    type,
    operation,
    author,
    requestId,
    text,
    ...derived,
  };
}

/** @throws LargeText where the text has more than `most` characters. */
export function parseStored({ text }: StoredVersion, most: number): JsonObject {
  if (text.length > most) throw new LargeText();
  const { root } = scan(text);
  if (root.kind !== 'object') throw new TypeError('A stored record is no JSON object');
  return root;
}

/** lastUpdated strictly grows for each record, also when the clock steps back. */
export function nextInstant(previous: string, now: number): string {
  return new Date(Math.max(now, Date.parse(previous) + 1)).toISOString();
}
