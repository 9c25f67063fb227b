/**
 * Data of `GET` and `PUT /app/session`: open tabs of the workbench, restored at the next start. It never
 * contains text of records.
 */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';

/** Address and title of a record. */
export const NamedRecord = v.object({ type: v.picklist(resourceTypes), id: v.string(), title: v.string() });
export type NamedRecord = Shape<typeof NamedRecord>;

/**
 * Patient of records: the id in their references, and the name. The local server stores no name, because the
 * name would survive an erasure.
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
  /** Additional search tab; without `query` it has not searched yet. */
  v.object({ kind: v.literal('search'), query: v.exactOptional(SavedSearch) }),
  v.object({ kind: v.literal('patient'), patient: NamedPatient }),
]);

export const WorkbenchSession = v.object({
  tabs: v.array(SavedTab),
  /** Index of the active tab; -1 for the search. */
  active: v.pipe(v.number(), v.integer()),
  search: v.exactOptional(SavedSearch),
  /** Recently opened records, latest first. */
  recent: v.array(NamedRecord),
});
export type WorkbenchSession = Shape<typeof WorkbenchSession>;

export const emptySession: WorkbenchSession = { tabs: [], active: -1, recent: [] };
