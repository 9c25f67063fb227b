/** What the server tells of records that change, while they do: `GET /app/changes`. */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';
import { authorshipMembers } from './authorship.ts';

/** Seconds between two signs of life of a stream in which nothing happens. */
export const streamBeat = 15;

/** A version that was stored. */
export const RecordChange = v.object({
  type: v.picklist(resourceTypes),
  id: v.string(),
  version: v.number(),
  lastUpdated: v.string(),
  ...authorshipMembers,
});
export type RecordChange = Shape<typeof RecordChange>;

/** An event of the stream. */
export const ChangeEvent = v.object({
  /** The newest version of each record that changed since the event before. */
  changes: v.array(RecordChange),
  /** How many further records changed. */
  more: v.number(),
  /** Findings changed, or how far the records are judged: what counts them is read anew. */
  findings: v.exactOptional(v.literal(true)),
});
export type ChangeEvent = Shape<typeof ChangeEvent>;
