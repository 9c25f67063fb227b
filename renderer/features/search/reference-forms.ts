import { parseReference } from '../../../core/fhir/reference.ts';
import { text } from '../../ui/text.ts';
import { queryOf, type Criteria } from './criteria.ts';
import type { ResultRow } from './result-rows.ts';

/** Describes the reference forms of the searched IDs in the rows, most frequent first; empty without searched IDs. */
export function referenceForms(criteria: Criteria, rows: readonly ResultRow[]): string {
  const searchedIds = new Map(queryOf(criteria).pairs);
  const forms = [...formsOf(rows, 'subject', searchedIds), ...formsOf(rows, 'encounter', searchedIds)];
  if (forms.length === 0) return '';
  return text.results.forms(forms.map(([form, count]) => text.results.form(form, count)));
}

function formsOf(
  rows: readonly ResultRow[],
  field: 'subject' | 'encounter',
  searchedIds: ReadonlyMap<string, string>,
): readonly (readonly [form: string, count: number])[] {
  const ids = new Set(searchedIds.get(field)?.split(',') ?? []);
  const counts = new Map<string, number>();
  if (ids.size === 0) return [];
  for (const { [field]: literal } of rows) {
    const id = parseReference(literal)?.id ?? '';
    if (!ids.has(id)) continue;
    const form = literal.replace(id, '…');
    counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}
