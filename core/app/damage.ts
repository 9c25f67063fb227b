/**
 * What page and server say to each other of `/app/damage`: stored texts that fail their checksums, and the scrub that
 * reads all of them once a day.
 */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';

export const ScrubState = v.object({
  /** When all texts were last read through, an instant; null where they never were. */
  ended: v.nullable(v.string()),
  /** How many were read then, and how many failed. */
  read: v.number(),
  found: v.number(),
  /** How far the scrub is that is under way. */
  running: v.nullable(v.object({ done: v.number(), total: v.number() })),
});
export type ScrubState = Shape<typeof ScrubState>;

/** What `GET /app/overview` tells: how many records cannot be answered. */
export const DamageState = v.object({ records: v.number(), scrub: ScrubState });
export type DamageState = Shape<typeof DamageState>;

/** A backup that holds a version whole: the damaged one, or the newest before it. */
export const WholeCopy = v.object({
  /** The backup's, as `GET /app/backups` has it. */
  name: v.string(),
  version: v.number(),
  /** When the backup was made. */
  time: v.string(),
});
export type WholeCopy = Shape<typeof WholeCopy>;

export const DamagedVersion = v.object({
  type: v.picklist(resourceTypes),
  id: v.string(),
  version: v.number(),
  /** Whether it is the record's current version; of an older one the record goes on without it. */
  current: v.boolean(),
  /** When it was first noticed, an instant. */
  noticed: v.string(),
  /** The newest version first, of one version the newest backup. */
  backups: v.array(WholeCopy),
});
export type DamagedVersion = Shape<typeof DamagedVersion>;

/** `GET /app/damage`. */
export const DamageList = v.object({ scrub: ScrubState, records: v.array(DamagedVersion) });
export type DamageList = Shape<typeof DamageList>;

/** `POST /app/damage/{type}/{id}/mend`: which backup the text is taken from. */
export const MendRequest = v.strictObject({ backup: v.string() });
