/** Data of `GET /app/find?q=...&limit=`: records and patients that match typed text. */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';

/** Counts of matches in each group, and characters of a query. */
export const findLimits = { usual: 8, most: 50, characters: 200 } as const;

const FoundRecord = v.object({
  id: v.string(),
  title: v.string(),
  status: v.string(),
  /** FHIR dateTime as written; the start of a period. */
  date: v.string(),
  end: v.string(),
  patient: v.object({ id: v.string(), name: v.string() }),
});
export type RecordMatch = Shape<typeof FoundRecord>;

const FoundPatient = v.object({ id: v.string(), name: v.string(), records: v.number() });
export type PatientMatch = Shape<typeof FoundPatient>;

/** Best match first in each group, latest first among equals. */
export const FindAnswer = v.object({
  patients: v.array(FoundPatient),
  records: v.array(v.object({ type: v.picklist(resourceTypes), found: v.array(FoundRecord) })),
  /** Count of versions that are not indexed yet; null if the index is unavailable. */
  behind: v.nullable(v.number()),
});
export type FindAnswer = Shape<typeof FindAnswer>;
