/** Data of `/app/overview/records`: the records by status, by change and by patient. */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';
import { authorshipMembers } from './authorship.ts';
import { WriteOperation } from './history.ts';
import { NamedRecord } from './session.ts';

/** Limits of examined versions and of the response. */
export const overviewLimits = { versions: 2000, writers: 200, changes: 12, patients: 12 } as const;

const byType = v.object(v.entriesFromList(resourceTypes, v.number()));

/**
 * Versions of one author by one operation. An import or a bulk run is one change. A few separate writes are
 * one change each.
 */
const OverviewChange = v.object({
  ...authorshipMembers,
  operation: WriteOperation,
  /** Count of versions and of distinct records. */
  versions: v.number(),
  records: v.number(),
  /** Instant of the latest version. */
  lastUpdated: v.string(),
  /** Record of the latest version. */
  record: NamedRecord,
});
export type OverviewChange = Shape<typeof OverviewChange>;

const OverviewPatient = v.object({
  /** Id without type. Searches find every form of the reference by it. */
  id: v.string(),
  /** Name of the subject in the latest records; empty if they have none. */
  name: v.string(),
  records: byType,
  /** Instant of the latest version. */
  lastUpdated: v.string(),
});
export type OverviewPatient = Shape<typeof OverviewPatient>;

/** `GET /app/overview/records?since=INSTANT`. */
export const RecordsOverview = v.object({
  /** Records by type and status. Records without a status count under the empty status. */
  statuses: v.object(v.entriesFromList(resourceTypes, v.record(v.string(), v.number()))),
  changed: v.object({
    /** Count of records that changed since the instant, and of their versions since then. */
    records: v.number(),
    versions: v.number(),
    /** True if changes beyond {@link overviewLimits} were not examined. */
    more: v.boolean(),
    /** Latest first. */
    changes: v.array(OverviewChange),
  }),
  /** Patients with the latest records first. */
  patients: v.array(OverviewPatient),
});
export type RecordsOverview = Shape<typeof RecordsOverview>;
