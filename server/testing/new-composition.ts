import { indexRows } from '../../core/derive/derive.ts';
import type { IssueRow } from '../../core/fhir/issue-row.ts';
import { scan } from '../../core/json/scan.ts';
import type { NewVersion } from '../store/store.ts';

/** Builds a version of a Composition to store, with additional JSON members. */
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
