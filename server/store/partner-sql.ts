/**
 * The other records of a finding that needs them, by index rows alone: who has the same identifier, whose plan goes on at
 * the same time, what replaces this one. Called by both engines, for a record at a time.
 */
import type { PartnerQuestion } from '../../core/fhir/relations.ts';
import { definitionOf } from '../../core/fhir/resource.ts';
import { keyNumber } from '../../core/fhir/search-parameters.ts';
import type { Dialect } from './dialect.ts';
import { goingColumns } from './relation-sql.ts';
import { isOfType, limited, line, sql, type Sql, type Value } from './sql.ts';

/** Finds the ids of the other records of a finding, each at most once; undefined where a rule has none. */
export function partnerSql(question: PartnerQuestion, limit: number, dialect: Dialect): Sql | undefined {
  const { rule } = question;
  if (rule === 'store/duplicate-identifier') return sameIdentifierSql(question, limit, dialect);
  if (rule === 'store/overlapping-plans') return sameTimeSql(question, limit, dialect);
  return replacingSql(question, limit, dialect);
}

/** Returns the ids that such a query found, in their order. */
export function partnerIds(rows: readonly Value[][]): readonly string[] {
  return rows.map(([id]) => String(id)).sort();
}

function sameIdentifierSql(
  { type, id, value, system = '' }: PartnerQuestion,
  limit: number,
  { recordOf, join, is }: Dialect,
): Sql {
  return line(
    `SELECT DISTINCT r.id FROM token t ${join} record r ON r.pk = ${recordOf('t')}
     WHERE t.key = ${keyNumber(`${type}.identifier`)} AND`,
    is('t.code', value),
    sql('AND t.system = ? AND r.id <> ? AND r.status <> ?', system, id, definitionOf(type).enteredInError),
    limited(limit),
  );
}

/** Looks at the plans of one subject alone, as {@link goingColumns} has them. */
function sameTimeSql({ type, id, value }: PartnerQuestion, limit: number, dialect: Dialect): Sql | undefined {
  const overlap = definitionOf(type).relations?.overlap;
  if (!overlap) return undefined;
  const { recordOf, byRecord, isRowOf, join, is } = dialect;
  const key = (parameter: string) => keyNumber(`${type}.${parameter}`);
  return line(
    `WITH going AS MATERIALIZED (
       SELECT r.id AS id, ${goingColumns(type, overlap.category, dialect)}
       FROM reference f ${join} record r ON r.pk = ${recordOf('f')}
       ${join} date_range d${byRecord} ON ${isRowOf('d', 'r')} AND d.key = ${key(overlap.date)} AND d.low IS NOT NULL
       WHERE f.key = ${key('subject')} AND`,
    is('f.target', value),
    sql(`AND ${isOfType('r', type)} AND r.status = ?)`, overlap.status),
    sql(
      `SELECT DISTINCT o.id FROM going g JOIN going o ON o.kinds = g.kinds AND o.id <> g.id
       WHERE g.id = ? AND o.low < g.high AND g.low < o.high`,
      id,
    ),
    limited(limit),
  );
}

function replacingSql(
  { type, id, value }: PartnerQuestion,
  limit: number,
  { recordOf, join, is }: Dialect,
): Sql {
  const parameter = definitionOf(type).relations?.replaces.parameter ?? '';
  return line(
    `SELECT DISTINCT r.id FROM reference f ${join} record r ON r.pk = ${recordOf('f')}
     WHERE f.key = ${keyNumber(`${type}.${parameter}`)} AND`,
    is('f.target', value),
    sql(
      `AND coalesce(f.target_type, ?) = ? AND coalesce(f.target_base, 'urn:') LIKE 'urn:%' AND r.id <> ?`,
      ...[type, type, id],
    ),
    limited(limit),
  );
}
