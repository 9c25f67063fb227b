import { parseReference } from '../../../core/fhir/reference.ts';
import { text } from '../../ui/text.ts';
import { queryOf, type Criteria } from './criteria.ts';
import type { ResultRow } from './result-rows.ts';

/** In which forms the rows name the ids that were searched, the most frequent first; empty where none was. */
export function referenceForms(criteria: Criteria, rows: readonly ResultRow[]): string {
  const asked = new Map(queryOf(criteria).pairs);
  const forms = [...formsOf(rows, 'subject', asked), ...formsOf(rows, 'encounter', asked)];
  if (forms.length === 0) return '';
  return text.results.forms(forms.map(([form, count]) => text.results.form(form, count)));
}

function formsOf(
  rows: readonly ResultRow[],
  field: 'subject' | 'encounter',
  asked: ReadonlyMap<string, string>,
): readonly (readonly [form: string, count: number])[] {
  const ids = new Set(asked.get(field)?.split(',') ?? []);
  const counts = new Map<string, number>();
  if (ids.size === 0) return [];
  for (const { [field]: literal } of rows) {
    const id = parseReference(literal)?.id ?? '';
    if (!ids.has(id)) continue;
    const form = literal.replace(id, '…');
    counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  return [...counts].sort((left, right) => right[1] - left[1]);
}
