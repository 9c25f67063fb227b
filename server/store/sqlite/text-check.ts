import { basename } from 'node:path';
import type { FhirError } from '../../../core/fhir/outcome.ts';
import { newestBackup } from './backup-folder.ts';
import { damagedText, isSound, type VersionName } from '../checksum.ts';

/** A stored text where it is the one that was written; else the fault that stands in its place. */
export type TextCheck = (bytes: unknown, sum: unknown, name: VersionName) => Buffer | FhirError;

/**
 * The check that every stored text passes before anyone sees it. `path` is the database's file, whose newest backup
 * the fault names; `noticed` is told of each text that fails.
 */
export function textCheck(path: string, noticed: (name: VersionName) => void = () => undefined): TextCheck {
  return (bytes, sum, name) => {
    if (isSound(bytes, sum)) return bytes;
    noticed(name);
    const backup = newestBackup(path);
    const way =
      backup === undefined
        ? 'There is no backup yet'
        : `The newest backup, ${basename(backup)}, may hold it whole; \`chartkeeper repair\` takes it from there`;
    return damagedText(name, way);
  };
}
