import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { DamagedVersion } from '../../core/app/backups.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { pageSize } from './page-size.ts';

/** SHA-256 of a text's UTF-8, as it stands beside each version. */
export function checksumOf(text: string | Buffer): Buffer {
  return hash('sha256', text, 'buffer');
}

/** How a text stands in a row: as its UTF-8, or as its length where that is not `short`, or always. */
export type TextForm = 'whole' | 'short' | 'length';

function textColumn(version: string, form: TextForm): string {
  const length = `octet_length(${version}.body)`;
  const whole = `CAST(${version}.body AS BLOB)`;
  return { whole, short: `iif(${isShort(version)}, ${whole}, ${length})`, length }[form];
}

function isShort(version: string): string {
  return `octet_length(${version}.body) <= ${pageSize.short}`;
}

/**
 * The columns of a version that {@link isSound} looks at: its text in UTF-8, and the sum in hex. A Buffer more would cost
 * a read as much as half of its sum.
 */
export function textColumns(version = 'version', form: TextForm = 'whole'): string {
  return `${textColumn(version, form)} AS body, hex(${version}.sha256) AS sha256`;
}

/**
 * The same for a page of a search, whose texts have to be summed up all at once: by their CRC-32, which shows every
 * change of up to 32 neighbouring bits, in a quarter of the time.
 */
export function searchedColumns(version: string, form: TextForm = 'whole'): string {
  const slow = `hex(${version}.sha256)`;
  const whole = `coalesce(${version}.crc32, ${slow})`;
  // The CRC-32 lies behind the text: of a long one SQLite would read all pages to come to it.
  const sum = { whole, short: `iif(${isShort(version)}, ${whole}, ${slow})`, length: slow }[form];
  return `${textColumn(version, form)} AS body, ${sum} AS sum`;
}

/** The CRC-32 of a text's UTF-8 (RFC 1952 section 8). */
export function quickSumOf(text: string | Buffer): number {
  return crc32(text);
}

/** Whether a stored text is the one that was written; the sum is a SHA-256 in hex, as SQLite writes it, or a CRC-32. */
export function isSound(bytes: unknown, sum: unknown): bytes is Buffer {
  if (!Buffer.isBuffer(bytes)) return false;
  return typeof sum === 'number'
    ? quickSumOf(bytes) === sum
    : hash('sha256', bytes, 'hex').toUpperCase() === sum;
}

/** What names a version to a person. */
export interface VersionName {
  readonly type: ResourceType;
  readonly id: string;
  readonly version: number;
}

/** A version as a person names it. */
export function nameOfVersion({ type, id, version }: DamagedVersion): string {
  return `${type}/${id}, version ${version}`;
}

/** What stands in the place of a version whose text is damaged (row 89); `way` says whether it can be had back. */
export function damagedText(name: VersionName, way: string): FhirError {
  return new FhirError('damaged', {
    text: `The stored text of this ${name.type} is damaged and is not answered; all others are. ${way}. Where this is the current version, an update (PUT) with the whole record mends it.`,
    diagnostics: nameOfVersion(name),
  });
}
