import type { BulkSource } from '../../../core/app/bulk.ts';
import { text } from '../../ui/text.ts';
import { queryOf, type Criteria } from './criteria.ts';
import { scopeOf } from './describe.ts';

/** All records that a search finds, for a bulk replace. */
export function bulkSourceOf(submitted: Criteria, total: number): BulkSource {
  const label = text.results.total(submitted.type, total, scopeOf(submitted));
  return { kind: 'search', ...queryOf(submitted), label };
}
