/** Data of `/app/damage`: stored texts that fail their checksums, and the daily scrub of all texts. */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';

export const ScrubState = v.object({
  /** Instant of the last complete scrub; null before the first. */
  ended: v.nullable(v.string()),
  /** Counts of read and of damaged texts in that scrub. */
  read: v.number(),
  found: v.number(),
  /** Progress of a running scrub. */
  running: v.nullable(v.object({ done: v.number(), total: v.number() })),
});
export type ScrubState = Shape<typeof ScrubState>;

/** Part of `GET /app/overview`: count of records that cannot be read. */
export const DamageState = v.object({ records: v.number(), scrub: ScrubState });
export type DamageState = Shape<typeof DamageState>;

/** Backup with an intact copy of the damaged version or of the latest version before it. */
export const IntactCopy = v.object({
  /** Name of the backup in `GET /app/backups`. */
  name: v.string(),
  version: v.number(),
  /** Instant of the backup. */
  time: v.string(),
});
export type IntactCopy = Shape<typeof IntactCopy>;

export const DamagedVersion = v.object({
  type: v.picklist(resourceTypes),
  id: v.string(),
  version: v.number(),
  /** True for the current version. The record stays usable if an older version is damaged. */
  current: v.boolean(),
  /** Instant of detection. */
  noticed: v.string(),
  /** Latest version first; the latest backup of each version. */
  backups: v.array(IntactCopy),
});
export type DamagedVersion = Shape<typeof DamagedVersion>;

/** `GET /app/damage`. */
export const DamageList = v.object({ scrub: ScrubState, records: v.array(DamagedVersion) });
export type DamageList = Shape<typeof DamageList>;

/** Body of `POST /app/damage/{type}/{id}/mend`: the backup to copy the text from. */
export const RepairRequest = v.strictObject({ backup: v.string() });
