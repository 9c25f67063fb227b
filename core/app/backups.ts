/**
 * Data of `/app/backups`: copies of the records in the data folder. The workspace database has its own
 * copies, which can be restored on the command line only.
 */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

/**
 * Reason of a backup: the timer, a request, or an operation that cannot be undone otherwise. `replaced` is
 * the database that `chartkeeper restore` moved away. It may be damaged.
 */
export const backupKinds = ['timed', 'asked', 'migration', 'reset', 'restore', 'replaced'] as const;
export type BackupKind = (typeof backupKinds)[number];

/** Version whose text fails its checksum. */
const DamagedVersion = v.object({ type: v.string(), id: v.string(), version: v.number() });
export type DamagedVersion = Shape<typeof DamagedVersion>;

/** Result of comparing each text of a backup with its SHA-256. */
export const Comparison = v.object({ texts: v.number(), damaged: v.array(DamagedVersion) });
export type Comparison = Shape<typeof Comparison>;

/** Also the response of `POST /app/backups`. */
export const Backup = v.object({
  /** File name; the key of the addresses below. */
  name: v.string(),
  /** Instant, UTC. */
  time: v.string(),
  bytes: v.number(),
  kind: v.picklist(backupKinds),
  /** Folder of the backup; `first` if it is in both folders. */
  place: v.picklist(['first', 'second']),
  /** True if the secondary folder has a copy. */
  copied: v.boolean(),
  /** Comparison at the time of the backup; null if none was made. */
  compared: v.nullable(Comparison),
});
export type Backup = Shape<typeof Backup>;

/** Secondary backup folder, usually on another disk. */
export const SecondaryFolder = v.object({
  folder: v.string(),
  /** `away` if the folder is unreachable. Missing copies are made when it is reachable again. */
  state: v.picklist(['good', 'copying', 'away', 'failed']),
  /** One sentence about a problem. */
  problem: v.nullable(v.string()),
  /** Count of backups without a copy. */
  lacking: v.number(),
  /** Instant (UTC) of the last comparison of a copy with its backup. */
  compared: v.nullable(v.string()),
});
export type SecondaryFolder = Shape<typeof SecondaryFolder>;

/** Stored setting of the secondary folder. The id separates copies of several data folders. */
export const SecondaryFolderSetting = v.object({ folder: v.nullable(v.string()), id: v.string() });
export type SecondaryFolderSetting = Shape<typeof SecondaryFolderSetting>;

/** Body of `PUT /app/backups/second-place`; null removes the setting. */
export const SecondaryFolderChange = v.strictObject({ folder: v.nullable(v.string()) });

/** `GET /app/backups`. */
export const BackupList = v.object({
  folder: v.string(),
  /** Latest first. */
  backups: v.array(Backup),
  /** Backup names that belong to a link, a pipe, a device or a folder. Nothing opens them. */
  skipped: v.array(v.string()),
  secondPlace: v.nullable(SecondaryFolder),
});
export type BackupList = Shape<typeof BackupList>;

/** `POST /app/backups/{name}/restore`. */
export const BackupRestored = v.object({
  restored: Backup,
  /** Backup of the replaced records. */
  before: Backup,
  /** Records of the backup that were erased later and were not restored: `CarePlan/abc`. */
  erased: v.array(v.string()),
});
export type BackupRestored = Shape<typeof BackupRestored>;
