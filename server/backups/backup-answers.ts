/** Builds the response for a backup and for a failed request. Called by the backups. */
import { stat } from 'node:fs/promises';
import type { Backup } from '../../core/app/backups.ts';
import { FhirError, type FhirErrorCode } from '../../core/fhir/outcome.ts';
import type { NamedBackup } from '../sqlite/backup-folder.ts';
import { DataFolderError } from '../sqlite/data-folder-error.ts';
import { manifestIn } from '../sqlite/manifest.ts';
import { saysFull } from '../store/store-error.ts';

/** A backup, and the folders that contain it. */
export type PlacedBackup = NamedBackup & Pick<Backup, 'place' | 'copied'>;

/** Returns a backup for the list without opening its file. Returns undefined if the file is gone. */
export async function described({
  name,
  path,
  time,
  kind,
  place,
  copied: isCopied,
}: PlacedBackup): Promise<Backup | undefined> {
  const file = await stat(path).catch(() => undefined);
  if (!file) return undefined;
  const comparison = await manifestIn(path);
  return {
    name,
    time: new Date(time).toISOString(),
    bytes: file.size,
    kind,
    place,
    copied: isCopied,
    compared: comparison,
  };
}

/** Rethrows an error of the store as an error of the request. */
export function rethrowStoreError(error: unknown): never {
  if (!(error instanceof DataFolderError)) throw error;
  const kind = error.errorCode === 'rotten-backup' ? 'backup-damaged' : kindOf(error.cause);
  throw new FhirError(kind, error.sentence);
}

function kindOf(cause: unknown): FhirErrorCode {
  if (saysFull(cause)) return 'disk-full';
  return cause instanceof DataFolderError ? 'unprocessable' : 'exception';
}
