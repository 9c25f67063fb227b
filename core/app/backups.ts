/**
 * What page and server say to each other of `/app/backups`: copies of the records in the data folder. The workspace has
 * its own copies there, which only the command line restores.
 */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

/** Why a backup was made: by the clock, because someone asked, or before something that cannot be undone otherwise. */
export const backupKinds = ['timed', 'asked', 'migration', 'reset', 'restore'] as const;
export type BackupKind = (typeof backupKinds)[number];

/** The answer of `POST /app/backups` too. */
export const Backup = v.object({
  /** The file's name; the key of the addresses below. */
  name: v.string(),
  /** Instant, UTC. */
  time: v.string(),
  bytes: v.number(),
  kind: v.picklist(backupKinds),
});
export type Backup = Shape<typeof Backup>;

/** `GET /app/backups`. */
export const BackupList = v.object({
  /** Path of the folder that they lie in. */
  folder: v.string(),
  /** Newest first. */
  backups: v.array(Backup),
});
export type BackupList = Shape<typeof BackupList>;

/** `POST /app/backups/{name}/restore`. */
export const BackupRestored = v.object({
  restored: Backup,
  /** What was there before, kept as a backup too. */
  before: Backup,
  /** Records of the backup that were erased since, and left out: `CarePlan/abc`. */
  erased: v.array(v.string()),
});
export type BackupRestored = Shape<typeof BackupRestored>;
