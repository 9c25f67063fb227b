/**
 * Findings between records, by their index rows only (core/fhir/relations.ts): SQL queries and the conversion
 * of their rows, the same for every engine.
 */
import { replaces, type PartnerQuery, type RelationFinding } from '../../core/fhir/relations.ts';
import { definitionOf, resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { keyNumber } from '../../core/fhir/search-parameters.ts';
import type { JsonObject } from '../../core/json/node.ts';
import type { Dialect } from './dialect.ts';
import { isOfType, sql, type Sql, type Value } from './sql.ts';

export interface FoundRelation extends RelationFinding {
  readonly record: number;
  readonly type: ResourceType;
  /** The other record, if its text must be read to confirm. */
  readonly otherRecord?: number;
}

/** Findings between records. */
export interface RelationStore {
  /**
   * Returns all possible findings, by index rows only. Undefined if no server wrote a version since the last
   * completed scan, unless `anyway` is set.
   */
  find(anyway: boolean): Promise<readonly FoundRelation[] | undefined>;
  /** Returns the records that have such findings. */
  listFlagged(): Promise<readonly number[]>;
  /** Replaces the findings of some records. Returns true if any changed. */
  write(
    records: readonly number[],
    relationsByRecord: ReadonlyMap<number, readonly FoundRelation[]>,
    day: number,
  ): Promise<boolean>;
  /** Returns ids of the other records of each finding, up to a limit for each. */
  partners(questions: readonly PartnerQuery[], limit: number): Promise<readonly (readonly string[])[]>;
  /** Completes a scan after all its findings were written. `changed` tells if any was. */
  completeScan(changed: boolean): Promise<void>;
}

/** Returns true if the record that should replace another one refers to it. */
export function isConfirmed(
  { otherRecord, type, value }: FoundRelation,
  rootOf: (record: number) => JsonObject | undefined,
): boolean {
  if (otherRecord === undefined) return true;
  const root = rootOf(otherRecord);
  return root !== undefined && replaces(type, root, value);
}

/** A query, and the conversion of its rows. */
interface RelationQuestion {
  readonly query: Sql;
  readonly toRelations: (rows: readonly Value[][]) => readonly FoundRelation[];
}

/** Returns all queries. */
export function relationQuestions(dialect: Dialect): readonly RelationQuestion[] {
  return resourceTypes.flatMap((type) => {
    const { relations } = definitionOf(type);
    const overlap = overlapSql(type, dialect);
    return [
      ...(relations?.refersTo ?? []).map(({ parameter, member }) =>
        byRow(type, 'store/dangling-reference', danglingSql(type, parameter, dialect), ([, value]) => ({
          name: member,
          value: String(value),
        })),
      ),
      createDuplicateQuestion(type, dialect),
      ...(overlap
        ? [byRow(type, 'store/overlapping-plans', overlap, () => ({ name: 'period', value: '' }))]
        : []),
      ...(relations
        ? [
            byRow(type, 'store/replaced-but-current', replacedSql(type, dialect), ([, id, otherRecord]) => ({
              name: 'status',
              value: String(id),
              otherRecord: Number(otherRecord),
            })),
          ]
        : []),
    ];
  });
}

/** Returns a query whose rows each describe the record in their first column. */
function byRow(
  type: ResourceType,
  rule: FoundRelation['rule'],
  query: Sql,
  toRelation: (row: readonly Value[]) => Pick<FoundRelation, 'name' | 'value' | 'otherRecord'>,
): RelationQuestion {
  return {
    query,
    toRelations: (rows) => rows.map((row) => ({ record: Number(row[0]), type, rule, ...toRelation(row) })),
  };
}

function createDuplicateQuestion(type: ResourceType, dialect: Dialect): RelationQuestion {
  return {
    query: duplicateSql(type, dialect),
    toRelations(rows) {
      const groups = Map.groupBy(rows, ([, code, system]) => JSON.stringify([code, system]));
      return [...groups.values()].flatMap((group) => {
        const records = new Set(group.map(([record]) => Number(record)));
        return [...records].flatMap((record) =>
          records.size < 2
            ? []
            : {
                record,
                type,
                rule: 'store/duplicate-identifier' as const,
                name: 'identifier',
                value: String(group[0]?.[1]),
              },
        );
      });
    },
  };
}

/**
 * Selects references to records of the same type that neither the store nor its supporting resources have.
 */
function danglingSql(type: ResourceType, parameter: string, { recordSql }: Dialect): Sql {
  return sql(
    `SELECT ${recordSql('f')}, f.target FROM reference f
     WHERE f.key = ${keyNumber(`${type}.${parameter}`)} AND f.target <> ''
       AND coalesce(f.target_type, ?) = ? AND coalesce(f.target_base, 'urn:') LIKE 'urn:%'
       AND NOT EXISTS (SELECT 1 FROM record r WHERE ${isOfType('r', type)} AND r.id = f.target)
       AND NOT EXISTS (SELECT 1 FROM companion c WHERE c.id = f.target)`,
    type,
    type,
  );
}

/** Selects records that share an identifier and its system, without those entered in error. */
function duplicateSql(type: ResourceType, { recordSql, join }: Dialect): Sql {
  const key = keyNumber(`${type}.identifier`);
  const record = recordSql('t');
  return sql(
    `SELECT ${record}, t.code, t.system FROM (
       SELECT t.code, t.system FROM token t WHERE t.key = ${key} AND t.code <> '' AND t.system <> ''
       GROUP BY t.code, t.system HAVING min(${record}) <> max(${record})) twice
     ${join} token t ON t.key = ${key} AND t.code = twice.code AND t.system = twice.system
     ${join} record r ON r.pk = ${record} WHERE r.status <> ?`,
    definitionOf(type).enteredInError,
  );
}

/** Selects records in one status with the same subject and categories whose periods overlap. */
export function overlapSql(type: ResourceType, dialect: Dialect): Sql | undefined {
  const { byRecord, belongsToRecordSql, join } = dialect;
  const overlap = definitionOf(type).relations?.overlap;
  if (!overlap) return undefined;
  const { status, category, date, ignoredCategories } = overlap;
  const key = (parameter: string) => keyNumber(`${type}.${parameter}`);
  return sql(
    `WITH going AS MATERIALIZED (
       SELECT r.pk AS pk, f.target AS subject, ${goingColumns(type, category, dialect)}
       FROM record r ${join} reference f${byRecord} ON ${belongsToRecordSql('f', 'r')} AND f.key = ${key('subject')} AND f.target <> ''
       ${join} date_range d${byRecord} ON ${belongsToRecordSql('d', 'r')} AND d.key = ${key(date)} AND d.low IS NOT NULL
       WHERE ${isOfType('r', type)} AND r.status = ?
         AND EXISTS (SELECT 1 FROM token t${byRecord} WHERE ${belongsToRecordSql('t', 'r')} AND t.key = ${key(category)}
           AND t.code <> '' AND t.code NOT IN (${marks(ignoredCategories)}))),
     ordered AS (
       SELECT pk, low, high, max(high) OVER earlier AS reached, min(low) OVER later AS next FROM going
       WINDOW earlier AS (PARTITION BY subject, kinds ORDER BY low, pk ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
         later AS (PARTITION BY subject, kinds ORDER BY low, pk ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING))
     SELECT DISTINCT pk FROM ordered WHERE reached > low OR next < high`,
    status,
    ...ignoredCategories,
  );
}

/** Returns the columns of a record `r` with its dates `d`: the period, and all categories as one text. */
export function goingColumns(
  type: ResourceType,
  category: string,
  { byRecord, belongsToRecordSql }: Dialect,
): string {
  return `d.low AS low, d.high AS high,
    (SELECT string_agg(k.kind, ',' ORDER BY k.kind) FROM (SELECT coalesce(t.system, '') || '|' || t.code AS kind
       FROM token t${byRecord} WHERE ${belongsToRecordSql('t', 'r')} AND t.key = ${keyNumber(`${type}.${category}`)}) k) AS kinds`;
}

/** Selects current records, with the records that may replace them. */
function replacedSql(type: ResourceType, { recordSql, join }: Dialect): Sql {
  const { relations } = definitionOf(type);
  const currentStatuses = relations?.currentStatuses ?? [];
  return sql(
    `SELECT r.pk, r.id, ${recordSql('f')} FROM reference f
     ${join} record r ON ${isOfType('r', type)} AND r.id = f.target
     WHERE f.key = ${keyNumber(`${type}.${relations?.replaces.parameter ?? ''}`)} AND f.target <> ''
       AND coalesce(f.target_type, ?) = ? AND coalesce(f.target_base, 'urn:') LIKE 'urn:%' AND r.pk <> ${recordSql('f')}
       AND r.status IN (${marks(currentStatuses)})`,
    type,
    type,
    ...currentStatuses,
  );
}

/** Returns a list for `IN`, never empty, because PostgreSQL rejects an empty list. */
function marks(values: readonly string[]): string {
  return ["''", ...values.map(() => '?')].join(', ');
}
