import { indexRows } from '../../core/fhir/index-rows.ts';
import type { IssueRow } from '../../core/fhir/issue-row.ts';
import { scan } from '../../core/json/scan.ts';
import type { NewVersion } from '../store/store.ts';

/** A version of a Composition that is about to be stored, with further members of its JSON. */
export function newComposition(
  id: string,
  number: number,
  members: object,
  issues: readonly IssueRow[] = [],
): NewVersion {
  const text = JSON.stringify({ resourceType: 'Composition', id, status: 'final', ...members });
  return {
    type: 'Composition',
    id,
    version: number,
    text,
    issues,
    author: 'test',
    lastUpdated: '2026-01-01T00:00:00.000Z',
    operation: number === 1 ? 'create' : 'update',
    index: indexRows('Composition', scan(text).root),
  };
}
