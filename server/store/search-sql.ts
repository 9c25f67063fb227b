import type { LiteralReference } from '../../core/fhir/reference.ts';
import type { ReferenceTerm, SearchCriteria } from '../../core/fhir/search.ts';

/** A condition and the values of its placeholders, in order. */
export interface Sql {
  readonly text: string;
  readonly values: readonly string[];
}

/** The condition on `record r` that holds for each match of the criteria, the cursor aside. */
export function matchSql(criteria: SearchCriteria): Sql {
  return all([
    { text: 'r.type = ?', values: [criteria.type] },
    ...criteria.ids.map((ids) => ({ text: `r.id IN (${placeholders(ids.length)})`, values: ids })),
    ...criteria.references.map((term) => referenceSql(criteria.type, term)),
  ]);
}

/** The condition that holds behind the cursor, in the order of {@link newestFirst}. */
export function behindSql({ after }: SearchCriteria): Sql {
  if (!after) return { text: 'TRUE', values: [] };
  return {
    text: '(r.last_updated < ? OR (r.last_updated = ? AND r.id > ?))',
    values: [after.lastUpdated, after.lastUpdated, after.id],
  };
}

export const newestFirst = 'r.last_updated DESC, r.id';

function referenceSql(type: string, { element, anyOf, target }: ReferenceTerm): Sql {
  const targets = anyOf.map((reference) => targetSql(reference, target));
  return {
    text: `r.pk IN (SELECT f.record FROM reference f WHERE ${targets
      .map(({ text }) => `f.type = ? AND f.element = ? AND ${text}`)
      .join(' UNION SELECT f.record FROM reference f WHERE ')})`,
    values: targets.flatMap(({ values }) => [type, element, ...values]),
  };
}

function targetSql(reference: LiteralReference, target: string | undefined): Sql {
  const conditions: Sql[] = [{ text: 'f.target = ?', values: [reference.id] }];
  if (reference.type !== undefined) conditions.push({ text: 'f.target_type = ?', values: [reference.type] });
  if (reference.base !== undefined) conditions.push({ text: 'f.target_base = ?', values: [reference.base] });
  if (target !== undefined) {
    conditions.push({ text: '(f.target_type IS NULL OR f.target_type = ?)', values: [target] });
  }
  return all(conditions);
}

function all(conditions: readonly Sql[]): Sql {
  return {
    text: conditions.map(({ text }) => text).join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}

function placeholders(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ');
}
