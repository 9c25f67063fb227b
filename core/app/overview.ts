/** What the page and `/app/overview/records` say to each other: the records by status, by change and by patient. */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';
import { authorshipMembers } from './authorship.ts';
import { WriteOperation } from './history.ts';
import { NamedRecord } from './session.ts';

/** How much is looked at and answered. */
export const overviewLimits = { versions: 2000, writers: 200, changes: 12, patients: 12 } as const;

const byType = v.object(v.entriesFromList(resourceTypes, v.number()));

/** What one wrote in one way: an import or a bulk run is one change; of few records, each is a change of its own. */
const OverviewChange = v.object({
  ...authorshipMembers,
  operation: WriteOperation,
  /** How many versions, and of how many distinct records. */
  versions: v.number(),
  records: v.number(),
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
    /** Records that changed since the instant, each counted once, and their versions since then. */
    records: v.number(),
    versions: v.number(),
    /** True if there are more than were looked at: writers beyond {@link overviewLimits}. */
    more: v.boolean(),
    /** Newest first. */
    changes: v.array(OverviewChange),
  }),
  /** Those with the newest records first. */
  patients: v.array(OverviewPatient),
});
export type RecordsOverview = Shape<typeof RecordsOverview>;
