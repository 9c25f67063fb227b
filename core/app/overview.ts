/** What the page and `/app/overview/records` say to each other: the records by status, by change and by patient. */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';
import { authorshipMembers } from './authorship.ts';
import { WriteOperation } from './history.ts';
import { NamedRecord } from './session.ts';

/** How much is looked at and answered; more versions than these are told as `more`. */
export const overviewLimits = { versions: 2000, changes: 12, patients: 12 } as const;

const byType = v.object(v.entriesFromList(resourceTypes, v.number()));

/** Versions that one wrote in a row: an import or a bulk run is one change. */
const OverviewChange = v.object({
  ...authorshipMembers,
  operation: WriteOperation,
  /** How many versions. */
  versions: v.number(),
  /** Instant of the newest. */
  lastUpdated: v.string(),
  /** The record of the newest. */
  record: NamedRecord,
});
export type OverviewChange = Shape<typeof OverviewChange>;

const OverviewPatient = v.object({
  /** The bare id, by which every form of the reference is found. */
  id: v.string(),
  /** What the newest records call the subject; empty where they give no name. */
  name: v.string(),
  records: byType,
  /** Instant of the newest version. */
  lastUpdated: v.string(),
});
export type OverviewPatient = Shape<typeof OverviewPatient>;

/** `GET /app/overview/records?since=INSTANT`. */
export const RecordsOverview = v.object({
  /** Records by type and status; an empty status is of records that name none. */
  statuses: v.object(v.entriesFromList(resourceTypes, v.record(v.string(), v.number()))),
  changed: v.object({
    /** Versions since the instant, of those that were looked at. */
    versions: v.number(),
    /** Whether there are more than were looked at. */
    more: v.boolean(),
    /** Newest first. */
    changes: v.array(OverviewChange),
  }),
  /** Those with the newest records first. */
  patients: v.array(OverviewPatient),
});
export type RecordsOverview = Shape<typeof RecordsOverview>;
