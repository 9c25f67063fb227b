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

/** Where a facet's values stand: the table, its columns, and which rows hold none. */
const sources: Readonly<
  Record<Facet['kind'], readonly [table: string, columns: readonly string[], holds: string]>
> = {
  token: ['token', ['f.system', 'f.code'], "f.code <> ''"],
  reference: ['reference', ['f.target', 'f.target_type', 'f.target_base'], "f.target <> ''"],
  uri: ['string', ['f.exact'], "f.exact <> ''"],
  date: [
    'date_range',
    [
      `CASE WHEN f.low > ${always.low} THEN ${monthOf('f.low')} END`,
      `CASE WHEN f.high < ${always.high} THEN ${monthOf('f.high - 1')} END`,
    ],
    'f.low IS NOT NULL AND f.high IS NOT NULL',
  ],
  finding: ['issue', ['f.rule'], 'TRUE'],
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
  const [table, columns, holds] = sources[asked.kind];
  const key =
    asked.kind === 'finding' ? '' : sql('AND f.key = ?', keyNumber(indexKey(criteria.type, asked.parameter)));
  const rows = await database.rows(
    numbered(
      line(
        `SELECT count(DISTINCT f.record), min(m.id), count(*) OVER (), ${columns.join(', ')}
         FROM (SELECT r.pk, r.id`,
        matchesSql(criteria, plan),
        `) m JOIN ${table} f ON f.record = m.pk WHERE ${holds}`,
        key,
        `GROUP BY ${columns.map((_, at) => at + 4).join(', ')} ORDER BY 1 DESC, 4`,
        asked.kind === 'date' ? '' : limited(limit),
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
