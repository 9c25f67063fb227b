/**
 * Finds the other records of a finding by index rows only: with the same identifier, with an overlapping
 * plan, or replacing this record. Called by both engines for one record at a time.
 */
import type { PartnerQuery } from '../../core/fhir/relations.ts';
import { definitionOf } from '../../core/fhir/resource.ts';
import { keyNumber } from '../../core/fhir/search-parameters.ts';
import type { Dialect } from './dialect.ts';
import { goingColumns } from './relation-sql.ts';
import { isOfType, limited, line, sql, type Sql, type Value } from './sql.ts';

/**
 * Returns the SQL for the ids of the other records of a finding, each once. Undefined if the rule has none.
 */
export function partnerSql(partnerQuery: PartnerQuery, limit: number, dialect: Dialect): Sql | undefined {
  const { rule } = partnerQuery;
  if (rule === 'store/duplicate-identifier') return sameIdentifierSql(partnerQuery, limit, dialect);
  if (rule === 'store/overlapping-plans') return sameTimeSql(partnerQuery, limit, dialect);
  return replacingSql(partnerQuery, limit, dialect);
}

/** Returns the ids of the rows, sorted. */
export function partnerIds(rows: readonly Value[][]): readonly string[] {
  return rows.map(([id]) => String(id)).sort();
}

function sameIdentifierSql(
  { type, id, value, system = '' }: PartnerQuery,
  limit: number,
  { recordSql, join, equals }: Dialect,
): Sql {
  return line(
    `SELECT DISTINCT r.id FROM token t ${join} record r ON r.pk = ${recordSql('t')}
     WHERE t.key = ${keyNumber(`${type}.identifier`)} AND`,
    equals('t.code', value),
    sql('AND t.system = ? AND r.id <> ? AND r.status <> ?', system, id, definitionOf(type).enteredInError),
    limited(limit),
  );
}

/** Reads only the plans of one subject, with the columns of {@link goingColumns}. */
function sameTimeSql({ type, id, value }: PartnerQuery, limit: number, dialect: Dialect): Sql | undefined {
  const overlap = definitionOf(type).relations?.overlap;
  if (!overlap) return undefined;
  const { recordSql, byRecord, belongsToRecordSql, join, equals } = dialect;
  const key = (parameter: string) => keyNumber(`${type}.${parameter}`);
  return line(
    `WITH going AS MATERIALIZED (
       SELECT r.id AS id, ${goingColumns(type, overlap.category, dialect)}
       FROM reference f ${join} record r ON r.pk = ${recordSql('f')}
       ${join} date_range d${byRecord} ON ${belongsToRecordSql('d', 'r')} AND d.key = ${key(overlap.date)} AND d.low IS NOT NULL
       WHERE f.key = ${key('subject')} AND`,
    equals('f.target', value),
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
  { type, id, value }: PartnerQuery,
  limit: number,
  { recordSql, join, equals }: Dialect,
): Sql {
  const parameter = definitionOf(type).relations?.replaces.parameter ?? '';
  return line(
    `SELECT DISTINCT r.id FROM reference f ${join} record r ON r.pk = ${recordSql('f')}
     WHERE f.key = ${keyNumber(`${type}.${parameter}`)} AND`,
    equals('f.target', value),
    sql(
      `AND coalesce(f.target_type, ?) = ? AND coalesce(f.target_base, 'urn:') LIKE 'urn:%' AND r.id <> ?`,
      type,
      type,
      id,
    ),
    limited(limit),
  );
}
