import { basename } from 'node:path';
import type { FhirError } from '../../../core/fhir/outcome.ts';
import { findLatestBackup } from '../../sqlite/backup-folder.ts';
import { damagedText, isIntact, type VersionName } from '../checksum.ts';

/** Returns a stored text that matches its checksum, otherwise the error in its place. */
export type TextCheck = (bytes: unknown, sum: unknown, name: VersionName) => Buffer | FhirError;

/**
 * Creates the check of stored texts. The error names the latest backup of the database file at `path`.
 *
 * @param onDamage - Called for each text that fails.
 */
export function textCheck(path: string, onDamage: (name: VersionName) => void = () => undefined): TextCheck {
  return (bytes, sum, name) => {
    if (isIntact(bytes, sum)) return bytes;
    onDamage(name);
    const backup = findLatestBackup(path);
    return damagedText(name, backup === undefined ? 'nowhere' : { backup: basename(backup) });
  };
}
