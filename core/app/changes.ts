/** Data of the event stream `GET /app/changes`. */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';
import { authorshipMembers } from './authorship.ts';

/** Seconds between heartbeats of an idle stream. */
export const heartbeatSeconds = 15;

export const RecordChange = v.object({
  type: v.picklist(resourceTypes),
  id: v.string(),
  version: v.number(),
  lastUpdated: v.string(),
  ...authorshipMembers,
});
export type RecordChange = Shape<typeof RecordChange>;

/** Event of the stream. */
export const ChangeEvent = v.object({
  /** Latest version of each record that changed since the previous event. */
  changes: v.array(RecordChange),
  /** Count of further changed records. */
  more: v.number(),
  /** Set if findings or validation progress changed. Counts must be reloaded. */
  findings: v.exactOptional(v.literal(true)),
});
export type ChangeEvent = Shape<typeof ChangeEvent>;
