/**
 * What page and server say to each other of `/app/backups`: copies of the records in the data folder. The workspace has
 * its own copies there, which only the command line restores.
 */

/** Why a backup was made: by the clock, because someone asked, or before something that cannot be undone otherwise. */
export const backupKinds = ['timed', 'asked', 'migration', 'reset', 'restore'] as const;
export type BackupKind = (typeof backupKinds)[number];

export interface Backup {
  /** The file's name; the key of the addresses below. */
  readonly name: string;
  /** Instant, UTC. */
  readonly time: string;
  readonly bytes: number;
  readonly kind: BackupKind;
}

/** `GET /app/backups`. */
export interface BackupList {
  /** Path of the folder that they lie in. */
  readonly folder: string;
  /** Newest first. */
  readonly backups: readonly Backup[];
}

/** `POST /app/backups/{name}/restore`. */
export interface BackupRestored {
  readonly restored: Backup;
  /** What was there before, kept as a backup too. */
  readonly before: Backup;
}

/** The answer of `POST /app/backups` too. */
export function isBackup(value: unknown): value is Backup {
  return (
    isMembers(value) &&
    typeof value.name === 'string' &&
    typeof value.time === 'string' &&
    typeof value.bytes === 'number' &&
    backupKinds.some((kind) => kind === value.kind)
  );
}

export function isBackupList(value: unknown): value is BackupList {
  return (
    isMembers(value) &&
    typeof value.folder === 'string' &&
    Array.isArray(value.backups) &&
    value.backups.every(isBackup)
  );
}

export function isBackupRestored(value: unknown): value is BackupRestored {
  return isMembers(value) && isBackup(value.restored) && isBackup(value.before);
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
