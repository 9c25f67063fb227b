/** What the list of backups, and each request for one, is answered with. Called by the backups. */
import { stat } from 'node:fs/promises';
import type { Backup } from '../../core/app/backups.ts';
import { FhirError, type FaultKind } from '../../core/fhir/outcome.ts';
import type { NamedBackup } from '../store/sqlite/backup-folder.ts';
import { DataFolderError } from '../store/sqlite/data-folder-error.ts';
import { manifestIn } from '../store/sqlite/manifest.ts';
import { saysFull } from '../store/store-error.ts';

/** A backup, and which of the two places hold it. */
export type Placed = NamedBackup & Pick<Backup, 'place' | 'copied'>;

/** Returns what is known of a backup without opening it; undefined where its file is gone. */
export async function described({
  name,
  path,
  time,
  kind,
  place,
  copied,
}: Placed): Promise<Backup | undefined> {
  const file = await stat(path).catch(() => undefined);
  if (!file) return undefined;
  const compared = await manifestIn(path);
  return { name, time: new Date(time).toISOString(), bytes: file.size, kind, place, copied, compared };
}

/** Throws what the store says of files as an answer. */
export function told(error: unknown): never {
  if (!(error instanceof DataFolderError)) throw error;
  const kind = error.fault === 'rotten-backup' ? 'backup-damaged' : kindOf(error.cause);
  throw new FhirError(kind, { text: error.message });
}

function kindOf(cause: unknown): FaultKind {
  if (saysFull(cause)) return 'disk-full';
  return cause instanceof DataFolderError ? 'unprocessable' : 'exception';
}
