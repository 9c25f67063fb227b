/**
 * Data of the server's own addresses under `/app`. They are not FHIR: they serve only the workbench and
 * require the all-scopes token.
 */
import * as v from 'valibot';
import { validationLevels } from '../fhir/validation/levels.ts';
import type { Shape } from '../json/shape.ts';
import { DamageState } from './damage.ts';
import { absentParts } from './shared-store.ts';
import { JudgedState, RebuildState } from './rebuild.ts';

/** `GET /app/overview`: content of the store, for the connection bar and the first start. */
export const Overview = v.object({
  version: v.string(),
  /** Data folder on the server's machine. */
  folder: v.string(),
  /** Validation level of writes. */
  level: v.picklist(validationLevels),
  counts: v.record(v.string(), v.number()),
  /** Subjects with the latest records, for users who know no id yet. */
  subjects: v.array(v.object({ id: v.string(), records: v.number() })),
  /** Progress of the rebuild of derived rows. */
  rebuild: RebuildState,
  /** Time and rules of the last complete validation. */
  judged: JudgedState,
  /** Count of unreadable records, and the last scrub. */
  damage: DamageState,
  /** State of the disk. On a full disk, records are read-only. */
  disk: v.picklist(['ok', 'full']),
  /** Parts that a shared store does not support (core/app/shared-store.ts); absent if it supports all. */
  absent: v.exactOptional(v.array(v.picklist(absentParts))),
});
export type Overview = Shape<typeof Overview>;
export type SubjectCount = Overview['subjects'][number];

/** Response of `POST /app/demo` and `POST /app/training/{set}`. */
export const DemoLoaded = v.object({ stored: v.number(), unchanged: v.number() });
export type DemoLoaded = Shape<typeof DemoLoaded>;
