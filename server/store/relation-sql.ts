/**
 * What is wrong between records, found by their index rows alone (core/fhir/relations.ts): questions in SQL, and what their
 * rows say, the same for every engine.
 */
import { replaces, type PartnerQuestion, type Related } from '../../core/fhir/relations.ts';
import { definitionOf, resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { keyNumber } from '../../core/fhir/search-parameters.ts';
import type { JsonObject } from '../../core/json/node.ts';
import type { Dialect } from './dialect.ts';
import { isOfType, sql, type Sql, type Value } from './sql.ts';

/** What was found about a record. */
export interface FoundRelation extends Related {
  readonly record: number;
  readonly type: ResourceType;
  /** The record that says so, where its text has to be looked at. */
  readonly by?: number;
}

/** What is wrong between records. */
export interface RelationStore {
  /**
   * All that is found now, by index rows alone; undefined where nothing was written since the last look that ended, by
   * whichever server, and nobody asks `anyway`.
   */
  find(anyway: boolean): Promise<readonly FoundRelation[] | undefined>;
  /** Records of which something was found before. */
  standing(): Promise<readonly number[]>;
  /** Writes what was found of some records in the place of what stands; whether anything changed. */
  write(
    records: readonly number[],
    found: ReadonlyMap<number, readonly FoundRelation[]>,
    day: number,
  ): Promise<boolean>;
  /** Ids of the other records of each finding, at most so many of each. */
  partners(questions: readonly PartnerQuestion[], limit: number): Promise<readonly (readonly string[])[]>;
  /** All that a look found is written; whether anything changed by it. */
  ended(changed: boolean): Promise<void>;
}

/** Whether the record that is said to replace another does say so. */
export function holds(
  { by, type, value }: FoundRelation,
  rootOf: (record: number) => JsonObject | undefined,
): boolean {
  if (by === undefined) return true;
  const root = rootOf(by);
  return root !== undefined && replaces(type, root, value);
}

/** A question, and what the rows of its answer say. */
interface RelationQuestion {
  readonly query: Sql;
  readonly found: (rows: readonly Value[][]) => readonly FoundRelation[];
}

/** All of them. */
export function relationQuestions(dialect: Dialect): readonly RelationQuestion[] {
  return resourceTypes.flatMap((type) => {
    const { relations } = definitionOf(type);
    const overlap = overlapSql(type, dialect);
    return [
      ...(relations?.refersTo ?? []).map(({ parameter, member }) =>
        byRow(type, 'store/dangling-reference', danglingSql(type, parameter, dialect), ([, value]) => ({
          ...{ member, value: String(value) },
        })),
      ),
      twice(type, dialect),
      ...(overlap
        ? [byRow(type, 'store/overlapping-plans', overlap, () => ({ member: 'period', value: '' }))]
        : []),
      ...(relations
        ? [
            byRow(type, 'store/replaced-but-current', replacedSql(type, dialect), ([, id, by]) => ({
              ...{ member: 'status', value: String(id), by: Number(by) },
            })),
          ]
        : []),
    ];
  });
}

/** A question of which each row says something about the record that it begins with. */
function byRow(
  type: ResourceType,
  rule: FoundRelation['rule'],
  query: Sql,
  said: (row: readonly Value[]) => Pick<FoundRelation, 'member' | 'value' | 'by'>,
): RelationQuestion {
  return {
    query,
    found: (rows) => rows.map((row) => ({ record: Number(row[0]), type, rule, ...said(row) })),
  };
}

function twice(type: ResourceType, dialect: Dialect): RelationQuestion {
  return {
    query: twiceSql(type, dialect),
    found(rows) {
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
    },
  };
}

/** References to records of the same type, by type and id or by id alone, that neither the store nor what came with it has. */
function danglingSql(type: ResourceType, parameter: string, { recordOf }: Dialect): Sql {
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
function twiceSql(type: ResourceType, { recordOf, join }: Dialect): Sql {
  const key = keyNumber(`${type}.identifier`);
  const record = recordOf('t');
  return sql(
    `SELECT ${record}, t.code, t.system FROM (
       SELECT t.code, t.system FROM token t WHERE t.key = ${key} AND t.code <> '' AND t.system <> ''
       GROUP BY t.code, t.system HAVING min(${record}) <> max(${record})) twice
     ${join} token t ON t.key = ${key} AND t.code = twice.code AND t.system = twice.system
     ${join} record r ON r.pk = ${record} WHERE r.status <> ?`,
    definitionOf(type).enteredInError,
  );
}

/** Records in one status, of one subject and the same categories, of which another goes on at the same time. */
export function overlapSql(type: ResourceType, dialect: Dialect): Sql | undefined {
  const { byRecord, isRowOf, join } = dialect;
  const overlap = definitionOf(type).relations?.overlap;
  if (!overlap) return undefined;
  const { status, category, date, general } = overlap;
  const key = (parameter: string) => keyNumber(`${type}.${parameter}`);
  return sql(
    `WITH going AS MATERIALIZED (
       SELECT r.pk AS pk, f.target AS subject, ${goingColumns(type, category, dialect)}
       FROM record r ${join} reference f${byRecord} ON ${isRowOf('f', 'r')} AND f.key = ${key('subject')} AND f.target <> ''
       ${join} date_range d${byRecord} ON ${isRowOf('d', 'r')} AND d.key = ${key(date)} AND d.low IS NOT NULL
       WHERE ${isOfType('r', type)} AND r.status = ?
         AND EXISTS (SELECT 1 FROM token t${byRecord} WHERE ${isRowOf('t', 'r')} AND t.key = ${key(category)}
           AND t.code <> '' AND t.code NOT IN (${marks(general)}))),
     ordered AS (
       SELECT pk, low, high, max(high) OVER earlier AS reached, min(low) OVER later AS next FROM going
       WINDOW earlier AS (PARTITION BY subject, kinds ORDER BY low, pk ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
         later AS (PARTITION BY subject, kinds ORDER BY low, pk ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING))
     SELECT DISTINCT pk FROM ordered WHERE reached > low OR next < high`,
    status,
    ...general,
  );
}

/** Of a record `r` with its dates `d`: when it goes on, and all its categories as one text. */
export function goingColumns(type: ResourceType, category: string, { byRecord, isRowOf }: Dialect): string {
  return `d.low AS low, d.high AS high,
    (SELECT string_agg(k.kind, ',' ORDER BY k.kind) FROM (SELECT coalesce(t.system, '') || '|' || t.code AS kind
       FROM token t${byRecord} WHERE ${isRowOf('t', 'r')} AND t.key = ${keyNumber(`${type}.${category}`)}) k) AS kinds`;
}

/** Records that are still current, and by whom they may be replaced. */
function replacedSql(type: ResourceType, { recordOf, join }: Dialect): Sql {
  const { relations } = definitionOf(type);
  const current = relations?.current ?? [];
  return sql(
    `SELECT r.pk, r.id, ${recordOf('f')} FROM reference f
     ${join} record r ON ${isOfType('r', type)} AND r.id = f.target
     WHERE f.key = ${keyNumber(`${type}.${relations?.replaces.parameter ?? ''}`)} AND f.target <> ''
       AND coalesce(f.target_type, ?) = ? AND coalesce(f.target_base, 'urn:') LIKE 'urn:%' AND r.pk <> ${recordOf('f')}
       AND r.status IN (${marks(current)})`,
    type,
    type,
    ...current,
  );
}

/** A list for `IN`, which PostgreSQL does not take empty. */
function marks(values: readonly string[]): string {
  return ["''", ...values.map(() => '?')].join(', ');
}
