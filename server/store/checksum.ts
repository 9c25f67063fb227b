import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { DamagedVersion } from '../../core/app/backups.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import { pageSize } from './page-size.ts';

const messages = defineMessages('damage', {
  withoutBackup:
    'The stored text of this {type} is damaged, so it isn’t returned. All other records work. There is no backup yet. If this is the current version, an update (PUT) with the whole record repairs it.',
  withBackup:
    'The stored text of this {type} is damaged, so it isn’t returned. All other records work. The newest backup, {backup}, may have an intact copy; `chartkeeper repair` restores it. If this is the current version, an update (PUT) with the whole record repairs it.',
  withDatabaseBackup:
    'The stored text of this {type} is damaged, so it isn’t returned. All other records work. A database backup may have an intact copy. If this is the current version, an update (PUT) with the whole record repairs it.',
});

/** Returns the SHA-256 of a text's UTF-8, which is stored with each version. */
export function checksumOf(text: string | Buffer): Buffer {
  return hash('sha256', text, 'buffer');
}

/** Form of a text in a row: always UTF-8, always its length, or UTF-8 only if `short`. */
export type TextForm = 'whole' | 'short' | 'length';

function textColumn(version: string, form: TextForm): string {
  const length = `octet_length(${version}.body)`;
  const wholeColumn = `CAST(${version}.body AS BLOB)`;
  return { whole: wholeColumn, short: `iif(${isShort(version)}, ${wholeColumn}, ${length})`, length }[form];
}

function isShort(version: string): string {
  return `octet_length(${version}.body) <= ${pageSize.short}`;
}

/**
 * Returns the columns for {@link isIntact}: the text in UTF-8, and the checksum in hex. A second Buffer would
 * take half the time of the checksum.
 */
export function textColumns(version = 'version', form: TextForm = 'whole'): string {
  return `${textColumn(version, form)} AS body, hex(${version}.sha256) AS sha256`;
}

/**
 * Returns the same columns for a search page, with CRC-32: a page verifies many texts, in a quarter of the
 * time. CRC-32 detects every change within 32 adjacent bits.
 */
export function searchedColumns(version: string, form: TextForm = 'whole'): string {
  const slow = `hex(${version}.sha256)`;
  const wholeColumn = `coalesce(${version}.crc32, ${slow})`;
  // The CRC-32 is stored after the text. For a long text, SQLite would read all its pages.
  const sumColumn = {
    whole: wholeColumn,
    short: `iif(${isShort(version)}, ${wholeColumn}, ${slow})`,
    length: slow,
  }[form];
  return `${textColumn(version, form)} AS body, ${sumColumn} AS sum`;
}

/** Returns the CRC-32 of a text's UTF-8 (RFC 1952 section 8). */
export function quickSumOf(text: string | Buffer): number {
  return crc32(text);
}

/** Returns true if a stored text matches its checksum: a SHA-256 in hex, as SQLite writes it, or a CRC-32. */
export function isIntact(bytes: unknown, storedSum: unknown): bytes is Buffer {
  if (!Buffer.isBuffer(bytes)) return false;
  return typeof storedSum === 'number'
    ? quickSumOf(bytes) === storedSum
    : hash('sha256', bytes, 'hex').toUpperCase() === storedSum;
}

export interface VersionName {
  readonly type: ResourceType;
  readonly id: string;
  readonly version: number;
}

/** Formats the name of a version for people. */
export function nameOfVersion({ type, id, version }: DamagedVersion): string {
  return `${type}/${id}, version ${version}`;
}

/** Location of an intact copy of a damaged text. */
export type IntactCopy = 'nowhere' | 'databaseBackup' | { readonly backup: string };

/** Creates the error that replaces a version with a damaged text (row 89). */
export function damagedText(name: VersionName, copy: IntactCopy): FhirError {
  return new FhirError('damaged', { ...damageMessage(name, copy), diagnostics: nameOfVersion(name) });
}

function damageMessage({ type }: VersionName, copy: IntactCopy): Message {
  if (copy === 'nowhere') return messages.withoutBackup({ type });
  if (copy === 'databaseBackup') return messages.withDatabaseBackup({ type });
  return messages.withBackup({ type, backup: copy.backup });
}
