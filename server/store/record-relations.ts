/** Finds what is wrong between records by their index rows alone (core/fhir/relations.ts). Asked of threads that read. */
import type { Related } from '../../core/fhir/relations.ts';
import { definitionOf, resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { keyNumber } from '../../core/fhir/search-parameters.ts';
import { isRowOf, recordOf } from './row-key.ts';
import { isOfType, sql, type Sql } from './sql.ts';
import { Statements } from './statements.ts';
import type { SqliteDatabase } from './sqlite.ts';

/** What was found about a record. */
export interface FoundRelation extends Related {
  readonly record: number;
  readonly type: ResourceType;
  /** The record that says so, where its text has to be looked at. */
  readonly by?: number;
}

export class RecordRelations {
  private readonly statements: Statements;

  constructor(database: SqliteDatabase) {
    this.statements = new Statements(database);
  }

  find(): readonly FoundRelation[] {
    return resourceTypes.flatMap((type) => [
      ...this.dangling(type),
      ...this.twice(type),
      ...this.overlapping(type),
      ...this.replaced(type),
    ]);
  }

  private dangling(type: ResourceType): FoundRelation[] {
    const { relations } = definitionOf(type);
    return (relations?.refersTo ?? []).flatMap(({ parameter, member }) =>
      this.statements.rows(danglingSql(type, parameter)).map(([record, value]) => ({
        ...{ record: Number(record), type, rule: 'store/dangling-reference' as const },
        ...{ member, value: String(value) },
      })),
    );
  }

  private twice(type: ResourceType): FoundRelation[] {
    const rows = this.statements.rows(twiceSql(type));
    const groups = Map.groupBy(rows, ([, code, system]) => JSON.stringify([code, system]));
    return [...groups.values()].flatMap((group) => {
      const records = new Set(group.map(([record]) => Number(record)));
      return [...records].flatMap((record) =>
        records.size < 2
          ? []
          : {
              ...{ record, type, rule: 'store/duplicate-identifier' as const },
              ...{ member: 'identifier', value: String(group[0]?.[1]) },
            },
      );
    });
  }

  private overlapping(type: ResourceType): FoundRelation[] {
    const query = overlapSql(type);
    if (!query) return [];
    return this.statements.rows(query).map(([record]) => ({
      ...{ record: Number(record), type, rule: 'store/overlapping-plans' as const },
      ...{ member: 'period', value: '' },
    }));
  }

  private replaced(type: ResourceType): FoundRelation[] {
    const { relations } = definitionOf(type);
    if (!relations) return [];
    return this.statements.rows(replacedSql(type)).map(([record, id, by]) => ({
      ...{ record: Number(record), type, rule: 'store/replaced-but-current' as const },
      ...{ member: 'status', value: String(id), by: Number(by) },
    }));
  }
}

/** References to records of the same type, by type and id or by id alone, that neither the store nor what came with it has. */
function danglingSql(type: ResourceType, parameter: string): Sql {
  return sql(
    `SELECT ${recordOf('f')}, f.target FROM reference f
     WHERE f.key = ${keyNumber(`${type}.${parameter}`)} AND f.target <> ''
       AND coalesce(f.target_type, ?) = ? AND coalesce(f.target_base, 'urn:') LIKE 'urn:%'
       AND NOT EXISTS (SELECT 1 FROM record r WHERE ${isOfType('r', type)} AND r.id = f.target)
       AND NOT EXISTS (SELECT 1 FROM companion c WHERE c.id = f.target)`,
    type,
    type,
  );
}

/** Records that share an identifier with its system; those that should never have been written are none. */
function twiceSql(type: ResourceType): Sql {
  const key = keyNumber(`${type}.identifier`);
  return sql(
    `SELECT ${recordOf('t')}, t.code, t.system FROM (
       SELECT code, system FROM token WHERE key = ${key} AND code <> '' AND system <> ''
       GROUP BY code, system HAVING min(pk) <> max(pk)) twice
     CROSS JOIN token t ON t.key = ${key} AND t.code = twice.code AND t.system = twice.system
     CROSS JOIN record r ON r.pk = ${recordOf('t')} WHERE r.status <> ?`,
    definitionOf(type).enteredInError,
  );
}

/** Records in one status, of one subject and the same categories, of which another goes on at the same time. */
export function overlapSql(type: ResourceType): Sql | undefined {
  const overlap = definitionOf(type).relations?.overlap;
  if (!overlap) return undefined;
  const { status, category, date, general } = overlap;
  const key = (parameter: string) => keyNumber(`${type}.${parameter}`);
  return sql(
    `WITH going AS MATERIALIZED (
       SELECT r.pk AS pk, f.target AS subject, d.low AS low, d.high AS high,
         (SELECT group_concat(kind, ',') FROM (SELECT coalesce(t.system, '') || '|' || t.code AS kind FROM token t NOT INDEXED
            WHERE ${isRowOf('t', 'r')} AND t.key = ${key(category)} ORDER BY kind)) AS kinds
       FROM record r CROSS JOIN reference f NOT INDEXED ON ${isRowOf('f', 'r')} AND f.key = ${key('subject')} AND f.target <> ''
       CROSS JOIN date_range d NOT INDEXED ON ${isRowOf('d', 'r')} AND d.key = ${key(date)} AND d.low IS NOT NULL
       WHERE ${isOfType('r', type)} AND r.status = ?
         AND EXISTS (SELECT 1 FROM token t NOT INDEXED WHERE ${isRowOf('t', 'r')} AND t.key = ${key(category)}
           AND t.code <> '' AND t.code NOT IN (SELECT value FROM json_each(?)))),
     ordered AS (
       SELECT pk, low, high, max(high) OVER earlier AS reached, min(low) OVER later AS next FROM going
       WINDOW earlier AS (PARTITION BY subject, kinds ORDER BY low, pk ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
         later AS (PARTITION BY subject, kinds ORDER BY low, pk ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING))
     SELECT DISTINCT pk FROM ordered WHERE reached > low OR next < high`,
    status,
    JSON.stringify(general),
  );
}

/** Records that are still current, and by whom they may be replaced. */
function replacedSql(type: ResourceType): Sql {
  const { relations } = definitionOf(type);
  return sql(
    `SELECT r.pk, r.id, ${recordOf('f')} FROM reference f
     CROSS JOIN record r ON ${isOfType('r', type)} AND r.id = f.target
     WHERE f.key = ${keyNumber(`${type}.${relations?.replaces.parameter ?? ''}`)} AND f.target <> ''
       AND coalesce(f.target_type, ?) = ? AND coalesce(f.target_base, 'urn:') LIKE 'urn:%' AND r.pk <> ${recordOf('f')}
       AND r.status IN (SELECT value FROM json_each(?))`,
    type,
    type,
    JSON.stringify(relations?.current ?? []),
  );
}
