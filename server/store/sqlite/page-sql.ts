import type { SearchCriteria, SortColumn } from '../../../core/fhir/search-criteria.ts';
import { searchedColumns, type TextForm } from '../checksum.ts';
import { snapshotOf } from '../row-cursors.ts';
import { buildAfterCondition, columnsOf, formatPreviousName, orderSql, type Plan } from '../search-plan.ts';
import { isOfType, joinAnd, limited, line, sql, type Sql } from '../sql.ts';

/** Name of the index of each order, without the type suffix. */
const indexes: Readonly<Record<SortColumn, string>> = {
  _lastUpdated: 'record_by_updated',
  _id: 'record_by_id',
  date: 'record_by_date',
  status: 'record_by_status',
  title: 'record_by_title',
};

/** Counts all matches. */
export function countSql({ type }: SearchCriteria, { driver, tests }: Plan): Sql {
  if (driver && tests.length === 0) {
    return line('SELECT count(*) FROM (SELECT DISTINCT pk FROM (', driver, '))');
  }
  return line('SELECT count(*) FROM record r WHERE', joinAnd([sourceCondition(type, driver), ...tests]));
}

const currentName = (column: string) => `r.${column}`;

export interface PageRequest {
  readonly plan: Plan;
  readonly limit: number;
  /** True if versions were written since the cursor's snapshot. */
  readonly hasChanges: boolean;
}

/**
 * Selects the rows `[current, ...keys, id]` of a page. Records that changed since the cursor's snapshot keep
 * their earlier position, and newer ones are excluded. Concurrent writes therefore never repeat or hide a
 * record.
 */
export function pageSql(criteria: SearchCriteria, { plan, limit, hasChanges }: PageRequest): Sql {
  const { type, sort, cursor } = criteria;
  const { driver, tests } = plan;
  const order = orderSql(sort, cursor?.backwards ?? false);
  const index = !driver && sort[0] ? ` INDEXED BY ${indexes[sort[0].column]}_${type}` : '';
  const currentRows = line(
    `SELECT r.current, ${columnsOf(sort, currentName)} FROM record r${index} WHERE`,
    joinAnd([
      sourceCondition(type, driver),
      ...tests,
      ...(cursor ? [buildAfterCondition(sort, cursor, currentName)] : []),
      ...(cursor && hasChanges ? [sql('r.current <= ?', snapshotOf(cursor))] : []),
    ]),
    `ORDER BY ${order} ${limited(limit)}`,
  );
  if (!cursor || !hasChanges) return currentRows;
  const snapshot = snapshotOf(cursor);
  const changedRows = line(
    `SELECT r.current, ${columnsOf(sort, formatPreviousName)} FROM version w CROSS JOIN record r ON r.pk = w.record AND r.current = w.pk`,
    'CROSS JOIN version v ON v.pk = (SELECT max(o.pk) FROM version o WHERE o.record = r.pk AND',
    sql('o.pk <= ?) WHERE', snapshot),
    joinAnd([
      sql('w.pk > ?', snapshot),
      sql(isOfType('r', type)),
      ...plan.fullTests,
      buildAfterCondition(sort, cursor, formatPreviousName),
    ]),
    `ORDER BY ${order} ${limited(limit)}`,
  );
  return line(
    'SELECT * FROM (',
    currentRows,
    ') UNION ALL SELECT * FROM (',
    changedRows,
    `) ORDER BY ${order} ${limited(limit)}`,
  );
}

/**
 * Selects the rows `[version, last_updated, body, sum, current, ...keys, id]` of a page. The limit of the
 * inner query keeps its order in the join.
 */
export function bodiesSql(criteria: SearchCriteria, request: PageRequest, form: TextForm = 'whole'): Sql {
  return line(
    `SELECT v.version, v.last_updated, ${searchedColumns('v', form)}, p.* FROM (`,
    pageSql(criteria, request),
    ') p CROSS JOIN version v ON v.pk = p.current',
  );
}

/**
 * Returns the condition on records. The keys of a driver belong to the type; with a second condition on it,
 * SQLite would read the whole type and search each record in the driver.
 */
function sourceCondition(type: SearchCriteria['type'], driver: Sql | undefined): Sql {
  return driver ? line('r.pk IN (', driver, ')') : sql(isOfType('r', type));
}
