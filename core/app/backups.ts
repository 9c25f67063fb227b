/**
 * What page and server say to each other of `/app/backups`: copies of the records in the data folder. The workspace has
 * its own copies there, which only the command line restores.
 */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

/**
 * Why a backup was made: by the clock, because someone asked, or before something that cannot be undone otherwise.
 * `replaced` is what `chartkeeper restore` put aside, as it was: it may be damaged.
 */
export const backupKinds = ['timed', 'asked', 'migration', 'reset', 'restore', 'replaced'] as const;
export type BackupKind = (typeof backupKinds)[number];

/** A version whose text is not the one that was written. */
const DamagedVersion = v.object({ type: v.string(), id: v.string(), version: v.number() });
export type DamagedVersion = Shape<typeof DamagedVersion>;

/** What came of comparing each text in a copy of the records with its SHA-256. */
export const Comparison = v.object({ texts: v.number(), damaged: v.array(DamagedVersion) });
export type Comparison = Shape<typeof Comparison>;

/** The answer of `POST /app/backups` too. */
export const Backup = v.object({
  /** The file's name; the key of the addresses below. */
  name: v.string(),
  /** Instant, UTC. */
  time: v.string(),
  bytes: v.number(),
  kind: v.picklist(backupKinds),
  /** Where it lies; `first` for one that lies in both places. */
  place: v.picklist(['first', 'second']),
  /** Whether the second place holds it. */
  copied: v.boolean(),
  /** What its texts were found to be when it was made; null where nobody looked. */
  compared: v.nullable(Comparison),
});
export type Backup = Shape<typeof Backup>;

/** A folder on another disk, which each backup is copied to. */
export const SecondPlace = v.object({
  folder: v.string(),
  /** `away` where it cannot be reached: it is caught up when it is back. */
  state: v.picklist(['good', 'copying', 'away', 'failed']),
  /** One sentence where it is not as it should be. */
  problem: v.nullable(v.string()),
  /** How many backups it still lacks. */
  lacking: v.number(),
  /** When a copy was last compared with its backup; an instant, UTC. */
  compared: v.nullable(v.string()),
});
export type SecondPlace = Shape<typeof SecondPlace>;

/** What the workspace keeps of it; the id tells this data folder's copies from another's. */
export const PlaceSetting = v.object({ folder: v.nullable(v.string()), id: v.string() });
export type PlaceSetting = Shape<typeof PlaceSetting>;

/** The body of `PUT /app/backups/second-place`; null for none. */
export const SecondPlaceChange = v.strictObject({ folder: v.nullable(v.string()) });

/** `GET /app/backups`. */
export const BackupList = v.object({
  /** Path of the folder that they lie in. */
  folder: v.string(),
  /** Newest first. */
  backups: v.array(Backup),
  /** Names of backups under which no file lies, but a link, a pipe, a device or a folder: nothing opens them. */
  skipped: v.array(v.string()),
  secondPlace: v.nullable(SecondPlace),
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
