/** What page and server say to each other of `GET /app/find?q=...&limit=`: records and patients, as they are typed. */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';

/** Of each group; and characters of a question. */
export const findLimits = { usual: 8, most: 50, characters: 200 } as const;

const FoundRecord = v.object({
  id: v.string(),
  title: v.string(),
  status: v.string(),
  /** FHIR dateTime as written; the start where the record is about a period. */
  date: v.string(),
  end: v.string(),
  patient: v.object({ id: v.string(), name: v.string() }),
});
export type FoundRecord = Shape<typeof FoundRecord>;

const FoundPatient = v.object({ id: v.string(), name: v.string(), records: v.number() });
export type FoundPatient = Shape<typeof FoundPatient>;

/** Best match first in each group, newest first among equals. */
export const FindAnswer = v.object({
  patients: v.array(FoundPatient),
  /** One for each type of which something was found. */
  records: v.array(v.object({ type: v.picklist(resourceTypes), found: v.array(FoundRecord) })),
  /** Versions that the index does not know yet; null where it cannot be kept now. */
  behind: v.nullable(v.number()),
});
export type FindAnswer = Shape<typeof FindAnswer>;
