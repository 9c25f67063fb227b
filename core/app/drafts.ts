/**
 * Data of `/app/drafts`: unsaved texts in the workspace database. A draft belongs to one tab of one window:
 * two windows on one record have two drafts. A draft is never stored as a version of the record.
 */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';

/** Id that a client generates for a draft or a window. */
export const ClientId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,64}$/));

const commonEntries = {
  type: v.picklist(resourceTypes),
  recordId: v.string(),
  /** Title of the record when the draft was saved. */
  title: v.string(),
  /** Version that the text is based on; absent if the server sent none. */
  baseVersion: v.exactOptional(v.pipe(v.number(), v.integer())),
  /** ETag of that version; absent if the server sends none. At most as long as the gateway accepts. */
  baseEtag: v.exactOptional(v.pipe(v.string(), v.maxLength(500))),
  /** Window that writes the draft. Another window must claim it first. */
  window: ClientId,
};

const DraftSummary = v.object({
  ...commonEntries,
  id: ClientId,
  /** Instant of the last save. */
  saved: v.string(),
});
export type DraftSummary = Shape<typeof DraftSummary>;

/** `GET /app/drafts`. */
export const DraftList = v.array(DraftSummary);

/** `GET /app/drafts/{id}`: the draft with its exact texts. */
export const Draft = v.object({
  ...DraftSummary.entries,
  text: v.string(),
  base: v.string(),
});
export type Draft = Shape<typeof Draft>;

/**
 * Body of `PUT /app/drafts/{id}`. `base` may be omitted if it did not change since the previous request.
 */
export const DraftSave = v.object({ ...commonEntries, text: v.string(), base: v.exactOptional(v.string()) });
export type DraftSave = Shape<typeof DraftSave>;

/** Body of `POST /app/drafts/{id}/claim`: the new window of the draft. */
export const DraftClaim = v.object({ window: ClientId });
