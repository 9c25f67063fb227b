/**
 * What was open in the workbench, so that the next start begins where the last one ended: `GET` and `PUT /app/session`.
 * Text of records is never in it.
 */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';

/** A record by its name, and what it was called. */
export const NamedRecord = v.object({ type: v.picklist(resourceTypes), id: v.string(), title: v.string() });
export type NamedRecord = Shape<typeof NamedRecord>;

/**
 * Whom records are about: the id that their references name, and what the subject was called. The local server keeps no
 * name, which would outlast an erasure.
 */
export const NamedPatient = v.object({ id: v.string(), name: v.string() });
export type NamedPatient = Shape<typeof NamedPatient>;

const SavedSearch = v.object({
  type: v.picklist(resourceTypes),
  /** Search parameters with their values. */
  pairs: v.array(v.strictTuple([v.string(), v.string()])),
});

const SavedTab = v.variant('kind', [
  v.object({ kind: v.literal('record'), record: NamedRecord }),
  v.object({ kind: v.literal('view'), view: v.string() }),
  /** A search beside the one that is always open; without `query` it asks nothing yet. */
  v.object({ kind: v.literal('search'), query: v.exactOptional(SavedSearch) }),
  v.object({ kind: v.literal('patient'), patient: NamedPatient }),
]);

export const WorkbenchSession = v.object({
  tabs: v.array(SavedTab),
  /** Index of the tab in front; -1 is the search. */
  active: v.pipe(v.number(), v.integer()),
  search: v.exactOptional(SavedSearch),
  /** Records opened at last, newest first. */
  recent: v.array(NamedRecord),
});
export type WorkbenchSession = Shape<typeof WorkbenchSession>;

export const emptySession: WorkbenchSession = { tabs: [], active: -1, recent: [] };
