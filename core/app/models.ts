/**
 * What the page and the server's own addresses under `/app` say to each other. Nothing here is FHIR: it serves the
 * workbench alone, and only to the holder of the all-scopes token.
 */
import * as v from 'valibot';
import { validationLevels } from '../fhir/validation/levels.ts';
import type { Shape } from '../json/shape.ts';
import { DamageState } from './damage.ts';
import { absentParts } from './shared-store.ts';
import { JudgedState, RebuildState } from './rebuild.ts';

/** `GET /app/overview`: what the store holds, for the connection bar and the first start. */
export const Overview = v.object({
  version: v.string(),
  /** The data folder, on the server's machine. */
  folder: v.string(),
  /** How strictly the server judges what is written. */
  level: v.picklist(validationLevels),
  counts: v.record(v.string(), v.number()),
  /** Subjects with the newest records, for someone who knows no id yet. */
  subjects: v.array(v.object({ id: v.string(), records: v.number() })),
  /** How far what is derived of the records is made anew. */
  rebuild: RebuildState,
  /** When the records were judged, and by which rules. */
  judged: JudgedState,
  /** Records that cannot be answered, and when all were last looked at. */
  damage: DamageState,
  /** Whether there is room for what is written; on a full disk records can be read alone. */
  disk: v.picklist(['ok', 'full']),
  /** Parts that a shared store does not offer (core/app/shared-store.ts); absent where all are there. */
  absent: v.exactOptional(v.array(v.picklist(absentParts))),
});
export type Overview = Shape<typeof Overview>;
export type SubjectCount = Overview['subjects'][number];

/** `POST /app/demo` and `POST /app/training/{set}`: what loading did. */
export const DemoLoaded = v.object({ stored: v.number(), unchanged: v.number() });
export type DemoLoaded = Shape<typeof DemoLoaded>;
