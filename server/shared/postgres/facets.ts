import type { Facet } from '../../../core/fhir/facet.ts';
import { unbounded } from '../../../core/fhir/search-date.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { indexKey, keyNumber } from '../../../core/fhir/search-parameters.ts';
import { byMonth, valueOf, type FacetValues } from '../../store/facet-values.ts';
import { buildSelectivePlan, buildScanPlan } from '../../store/search-plan.ts';
import { limited, line, sql } from '../../store/sql.ts';
import { numbered, type Postgres } from './connection.ts';
import { recordByRecord, setBySet } from './dialect.ts';
import { matchesSql } from './page-sql.ts';

/** Returns SQL for the months since the year 0 of a time in milliseconds. */
function monthOf(time: string): string {
  const date = `to_timestamp((${time}) / 1000.0) AT TIME ZONE 'UTC'`;
  return `(extract(year FROM ${date}) * 12 + extract(month FROM ${date}) - 1)::integer`;
}

/**
 * Source of the values of a facet: the table, its columns, a condition for rows with a value, and the count.
 * The rows of a record are distinct, so a row counts as a record unless several rows form one value.
 */
const sources: Readonly<
  Record<
    Facet['kind'],
    readonly [table: string, columns: readonly string[], holds: string, count: 'rows' | 'records']
  >
> = {
  token: ['token', ['f.system', 'f.code'], "f.code <> ''", 'rows'],
  reference: ['reference', ['f.target', 'f.target_type', 'f.target_base'], "f.target <> ''", 'rows'],
  uri: ['string', ['f.exact'], "f.exact <> ''", 'rows'],
  date: [
    'date_range',
    [
      `CASE WHEN f.low > ${unbounded.low} THEN ${monthOf('f.low')} END`,
      `CASE WHEN f.high < ${unbounded.high} THEN ${monthOf('f.high - 1')} END`,
    ],
    'f.low IS NOT NULL AND f.high IS NOT NULL',
    'records',
  ],
  finding: ['issue', ['f.rule'], 'TRUE', 'records'],
};

/** Returns the most frequent values of a facet among the matches. Dates are grouped by month. */
export async function facet(
  database: Postgres,
  criteria: SearchCriteria,
  requestedFacet: Facet,
  limit: number,
  signal?: AbortSignal,
): Promise<FacetValues> {
  const plan = buildSelectivePlan(criteria, recordByRecord) ?? buildScanPlan(criteria, setBySet);
  const [table, columns, hasValue, countMode] = sources[requestedFacet.kind];
  const key =
    requestedFacet.kind === 'finding'
      ? ''
      : sql('AND f.key = ?', keyNumber(indexKey(criteria.type, requestedFacet.parameter)));
  // The key belongs to one type, so a search without criteria needs no record rows.
  const isOfAll = criteria.terms.length === 0 && key !== '';
  const matches = isOfAll
    ? line(`FROM ${table} f`)
    : line('FROM (SELECT r.pk', matchesSql(criteria, plan), `) m JOIN ${table} f ON f.record = m.pk`);
  const names = columns.map((_, index) => `c${index}`).join(', ');
  const order = 'ORDER BY 1 DESC, 4';
  const rows = await database.rows(
    numbered(
      line(
        `SELECT g.records, r.id, g.total, ${names} FROM (
         SELECT count(${countMode === 'rows' ? '*' : 'DISTINCT f.record'}) AS records, min(f.record) AS one, count(*) OVER () AS total,
         ${columns.map((column, index) => `${column} AS c${index}`).join(', ')}`,
        matches,
        `WHERE ${hasValue}`,
        key,
        `GROUP BY ${columns.map((_, index) => index + 4).join(', ')} ${order}`,
        requestedFacet.kind === 'date' ? '' : limited(limit),
        `) g JOIN record r ON r.pk = g.one ${order}`,
      ),
    ),
    signal,
  );
  if (requestedFacet.kind !== 'date') {
    const { kind } = requestedFacet;
    return {
      total: Number(rows[0]?.[2] ?? 0),
      values: rows.map(([count, id, , ...cells]) => ({
        value: valueOf(kind, cells),
        count: Number(count),
        id: String(id),
      })),
    };
  }
  const spans = rows.map(([count, , , startMonth, endMonth], index) => ({
    key: [startMonth ?? -Infinity, endMonth ?? Infinity],
    count: Number(count),
    record: index,
  }));
  const months = byMonth(spans);
  return {
    total: months.length,
    values: months
      .slice(0, limit)
      .map(({ value, count, record }) => ({ value, count, id: String(rows[record]?.[1] ?? '') })),
  };
}
