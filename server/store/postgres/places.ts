import type { Cursor } from '../../../core/fhir/search-criteria.ts';
import { badValue } from '../../../core/fhir/search-values.ts';

/**
 * What this store's snapshots say: which transactions a first page had seen, as `pg_current_snapshot` writes it. A count of
 * writes would not do: a number is given out before its transaction is committed, and one of a lower number may come in
 * behind it.
 *
 * @throws FhirError `value` where no store like this one made it.
 */
export function snapshotOf({ snapshot }: Cursor): string {
  if (/^\d{1,20}:\d{1,20}:(\d{1,20}(,\d{1,20})*)?$/.test(snapshot)) return snapshot;
  throw badValue('_cursor', 'must come from a next link');
}
