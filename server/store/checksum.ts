import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { newestBackup } from './backup-folder.ts';

/** SHA-256 of a text's UTF-8, as it stands beside each version. */
export function checksumOf(text: string | Buffer): Buffer {
  return hash('sha256', text, 'buffer');
}

/**
 * The columns of a version that {@link isSound} looks at: its text in UTF-8, and the sum in hex. A Buffer more would cost
 * a read as much as half of its sum.
 */
export function textColumns(version = 'version'): string {
  return `CAST(${version}.body AS BLOB) AS body, hex(${version}.sha256) AS sha256`;
}

/** Whether a stored text is the one that was written; the sum is in hex, as SQLite writes it. */
export function isSound(bytes: unknown, sha256: unknown): bytes is Buffer {
  return Buffer.isBuffer(bytes) && hash('sha256', bytes, 'hex').toUpperCase() === sha256;
}

/** What names a version to a person. */
export interface VersionName {
  readonly type: ResourceType;
  readonly id: string;
  readonly version: number;
}

/** Hands a stored text on where it is the one that was written. */
export type TextCheck = (bytes: unknown, sha256: unknown, name: VersionName) => Buffer;

/**
 * The check that every stored text passes before anyone sees it. `path` is the database's file, whose newest backup
 * the fault names.
 *
 * The check throws FhirError `damaged`.
 */
export function textCheck(path: string): TextCheck {
  return (bytes, sha256, name) => {
    if (!isSound(bytes, sha256)) throw damaged(name, newestBackup(path));
    return bytes;
  };
}

function damaged({ type, id, version }: VersionName, backup: string | undefined): FhirError {
  const way =
    backup === undefined
      ? 'There is no backup yet.'
      : `The newest backup, ${basename(backup)}, may hold it whole.`;
  return new FhirError('damaged', {
    text: `The stored text of this ${type} is damaged and is not answered; other records are not concerned. ${way}`,
    diagnostics: `${type}/${id}, version ${version}`,
  });
}
