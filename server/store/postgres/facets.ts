import type { Facet } from '../../../core/fhir/facet.ts';
import { always } from '../../../core/fhir/search-date.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { indexKey, keyNumber } from '../../../core/fhir/search-parameters.ts';
import { byMonth, valueOf, type FacetValues } from '../facet-values.ts';
import { narrowPlanOf, walkPlanOf } from '../search-plan.ts';
import { limited, line, sql } from '../sql.ts';
import { numbered, type Postgres } from './connection.ts';
import { recordByRecord, setBySet } from './dialect.ts';
import { matchesSql } from './page-sql.ts';

/** Months since the year 0 of a time in milliseconds. */
function monthOf(time: string): string {
  const date = `to_timestamp((${time}) / 1000.0) AT TIME ZONE 'UTC'`;
  return `(extract(year FROM ${date}) * 12 + extract(month FROM ${date}) - 1)::integer`;
}

/**
 * Where a facet's values stand: the table, its columns, which rows hold none, and how records are counted: a record's rows are a
 * set, so that it has one at most of each value, but for what several rows come to.
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
      `CASE WHEN f.low > ${always.low} THEN ${monthOf('f.low')} END`,
      `CASE WHEN f.high < ${always.high} THEN ${monthOf('f.high - 1')} END`,
    ],
    'f.low IS NOT NULL AND f.high IS NOT NULL',
    'records',
  ],
  finding: ['issue', ['f.rule'], 'TRUE', 'records'],
};

/** The values of one facet among the matches, so many of them; of a date all spans are brought together. */
export async function facet(
  database: Postgres,
  criteria: SearchCriteria,
  asked: Facet,
  limit: number,
  signal?: AbortSignal,
): Promise<FacetValues> {
  const plan = narrowPlanOf(criteria, recordByRecord) ?? walkPlanOf(criteria, setBySet);
  const [table, columns, holds, counted] = sources[asked.kind];
  const key =
    asked.kind === 'finding' ? '' : sql('AND f.key = ?', keyNumber(indexKey(criteria.type, asked.parameter)));
  // The key of a facet is of its type: of all records none is looked at.
  const isOfAll = criteria.terms.length === 0 && key !== '';
  const matches = isOfAll
    ? line(`FROM ${table} f`)
    : line('FROM (SELECT r.pk', matchesSql(criteria, plan), `) m JOIN ${table} f ON f.record = m.pk`);
  const names = columns.map((_, at) => `c${at}`).join(', ');
  const order = 'ORDER BY 1 DESC, 4';
  const rows = await database.rows(
    numbered(
      line(
        `SELECT g.records, r.id, g.total, ${names} FROM (
         SELECT count(${counted === 'rows' ? '*' : 'DISTINCT f.record'}) AS records, min(f.record) AS one, count(*) OVER () AS total,
         ${columns.map((column, at) => `${column} AS c${at}`).join(', ')}`,
        matches,
        `WHERE ${holds}`,
        key,
        `GROUP BY ${columns.map((_, at) => at + 4).join(', ')} ${order}`,
        asked.kind === 'date' ? '' : limited(limit),
        `) g JOIN record r ON r.pk = g.one ${order}`,
      ),
    ),
    signal,
  );
  if (asked.kind !== 'date') {
    const { kind } = asked;
    return {
      total: Number(rows[0]?.[2] ?? 0),
      values: rows.map(([count, id, , ...cells]) => ({
        ...{ value: valueOf(kind, cells), count: Number(count), id: String(id) },
      })),
    };
  }
  const spans = rows.map(([count, , , from, to], at) => ({
    ...{ key: [from ?? -Infinity, to ?? Infinity], count: Number(count), record: at },
  }));
  const months = byMonth(spans);
  return {
    total: months.length,
    values: months
      .slice(0, limit)
      .map(({ value, count, record }) => ({ value, count, id: String(rows[record]?.[1] ?? '') })),
  };
}
