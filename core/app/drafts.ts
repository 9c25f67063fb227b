/**
 * Drafts: what was typed and is not saved, kept in the workspace database (`/app/drafts`). A draft belongs to one tab
 * of one window, so that two windows on one record keep two, and is never a version.
 */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';

/** The id of a draft or a window. */
export const DraftId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,64}$/));

const about = {
  type: v.picklist(resourceTypes),
  recordId: v.string(),
  /** What the record was called when the draft was saved. */
  title: v.string(),
  /** Version that the text was made on; absent where the server named none. */
  baseVersion: v.exactOptional(v.pipe(v.number(), v.integer())),
  /** ETag of that version as the server gave it; absent where it gives none. No longer than the gateway hands on. */
  baseEtag: v.exactOptional(v.pipe(v.string(), v.maxLength(500))),
  /** The window that writes it; another one has to claim it first. */
  window: DraftId,
};

/** What the list of drafts tells of one. */
const DraftSummary = v.object({
  ...about,
  id: DraftId,
  /** Instant of the last save. */
  saved: v.string(),
});
export type DraftSummary = Shape<typeof DraftSummary>;

/** `GET /app/drafts`. */
export const DraftList = v.array(DraftSummary);

/** `GET /app/drafts/{id}`: the draft with its texts, character by character as they were. */
export const Draft = v.object({
  ...DraftSummary.entries,
  text: v.string(),
  /** Text of the version that the draft was made on. */
  base: v.string(),
});
export type Draft = Shape<typeof Draft>;

/** `PUT /app/drafts/{id}`: `base` may be left out while the base version stays the one that was sent before. */
export const DraftSave = v.object({ ...about, text: v.string(), base: v.exactOptional(v.string()) });
export type DraftSave = Shape<typeof DraftSave>;

/** `POST /app/drafts/{id}/claim`: the window that goes on with the draft. */
export const DraftClaim = v.object({ window: DraftId });
