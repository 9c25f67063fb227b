import type { Facet, FacetValue } from '../../core/fhir/facet.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../core/fhir/search-criteria.ts';
import { always } from '../../core/fhir/search-date.ts';
import { indexKey, keyNumber } from '../../core/fhir/search-parameters.ts';
import { FacetColumn, type FacetCount, type FacetKey } from './facet-column.ts';
import type { MatchSets } from './match-sets.ts';
import { recordOf, rowKey } from './row-key.ts';
import { isOfType, line, sql, type Sql } from './sql.ts';
import type { Statements, Value } from './statements.ts';

/** A value of a facet, how many matches have it, and one of them. */
export interface ValueCount {
  readonly value: FacetValue;
  readonly count: number;
  readonly id: string;
}

export interface FacetValues {
  /** The most frequent first; months the latest first. */
  readonly values: readonly ValueCount[];
  /** How many values there are, shown or not. */
  readonly total: number;
}

/** Where a facet's values stand, and what they are made of. */
interface Source {
  readonly table: string;
  readonly columns: string;
  readonly keyOf: (cells: Value[]) => FacetKey | undefined;
}

const textKey = (cells: Value[]): FacetKey | undefined => (cells[0] === '' ? undefined : cells);

const sources: Readonly<Record<Facet['kind'], Source>> = {
  token: {
    table: 'token',
    columns: 'system, code',
    keyOf: ([system = null, code = '']) => (code === '' ? undefined : [system, code]),
  },
  reference: { table: 'reference', columns: 'target, target_type, target_base', keyOf: textKey },
  uri: { table: 'string', columns: 'exact', keyOf: textKey },
  date: { table: 'date_range', columns: 'low, high', keyOf: ([low, high]) => monthsOf(low, high) },
  finding: { table: 'issue', columns: 'rule', keyOf: textKey },
};

/** Columns that are kept; those asked for lately stay. */
const most = 24;

/** So many changed records are looked at one by one; where more came, a column is made anew. */
const mostChanged = 5_000;

/** Counts the values that the matches of a search have, from columns that a write only mends. */
export class RecordFacets {
  private readonly statements: Statements;
  private readonly sets: MatchSets;
  private readonly columns = new Map<string, { readonly column: FacetColumn; seen: number }>();

  constructor(statements: Statements, sets: MatchSets) {
    this.statements = statements;
    this.sets = sets;
  }

  /** The values of one facet among the matches, so many of them. */
  values(criteria: SearchCriteria, facet: Facet, limit: number): FacetValues {
    const { kind } = facet;
    const counted = this.column(criteria.type, facet).counts(this.sets.of(criteria));
    const found =
      kind === 'date' ? byMonth(counted) : counted.map((one) => ({ ...one, value: valueOf(kind, one.key) }));
    return {
      total: found.length,
      values: found
        .slice(0, limit)
        .map(({ value, count, record }) => ({ value, count, id: this.idOf(record) })),
    };
  }

  /** Records were removed, or index rows were made anew. */
  forget(): void {
    this.columns.clear();
  }

  private idOf(record: number): string {
    const [row] = this.statements.rows(sql('SELECT id FROM record WHERE pk = ?', record));
    return String(row?.[0] ?? '');
  }

  private column(type: ResourceType, facet: Facet): FacetColumn {
    const now = this.sets.written();
    const name = `${type}.${facet.name}`;
    const known = this.columns.get(name);
    this.columns.delete(name);
    const kept =
      known && known.seen <= now && now - known.seen <= mostChanged
        ? known
        : { column: this.made(type, facet), seen: now };
    if (kept.seen < now) this.mend(kept.column, type, facet, kept.seen);
    kept.seen = now;
    this.columns.set(name, kept);
    for (const oldest of this.columns.keys()) {
      if (this.columns.size <= most) break;
      this.columns.delete(oldest);
    }
    return kept.column;
  }

  private made(type: ResourceType, facet: Facet): FacetColumn {
    const column = new FacetColumn(this.statements.number(sql('SELECT max(pk) FROM record')));
    this.fill(column, facet, rowsOf(type, facet));
    return column;
  }

  /** Reads the rows of the records that were written since. */
  private mend(column: FacetColumn, type: ResourceType, facet: Facet, seen: number): void {
    for (const record of this.sets.changedSince(seen)) {
      column.clear(record);
      const own = sql('AND f.pk BETWEEN ? AND ?', rowKey(record, 0), rowKey(record + 1, 0) - 1);
      this.fill(column, facet, line(rowsOf(type, facet, 'NOT INDEXED'), own));
    }
  }

  private fill(column: FacetColumn, { kind }: Facet, query: Sql): void {
    const { keyOf } = sources[kind];
    this.statements.each(query, ([record, ...cells]) => {
      const key = keyOf(cells);
      if (key) column.add(Number(record), key);
    });
  }
}

/** The rows `[record, ...columns]` of a facet. */
function rowsOf(type: ResourceType, facet: Facet, how = ''): Sql {
  const { table, columns } = sources[facet.kind];
  const text = `SELECT ${recordOf('f')}, ${columns} FROM ${table} f ${how}`;
  if (facet.kind === 'finding')
    return line(text, `CROSS JOIN record r ON r.pk = f.record WHERE ${isOfType('r', type)}`);
  return line(text, sql('WHERE f.key = ?', keyNumber(indexKey(type, facet.parameter))));
}

function valueOf(
  kind: Exclude<Facet['kind'], 'date'>,
  [first = null, second = null, third = null]: FacetKey,
): FacetValue {
  switch (kind) {
    case 'token':
      return { kind, system: text(first), code: String(second) };
    case 'reference':
      return { kind, id: String(first), type: text(second), base: text(third) };
    case 'uri':
      return { kind, uri: String(first) };
    case 'finding':
      return { kind, rule: String(first) };
  }
}

function text(value: Value): string | null {
  return value === null ? null : String(value);
}

const open = { from: -Infinity, to: Infinity };

/** The first and the last month that a range reaches into, as months since the year 0. */
function monthsOf(low: Value = null, high: Value = null): FacetKey | undefined {
  if (typeof low !== 'number' || typeof high !== 'number') return undefined;
  return [low === always.low ? open.from : monthOf(low), high === always.high ? open.to : monthOf(high - 1)];
}

function monthOf(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Counts of spans of months as counts of months, the latest first; open ends reach as far as others do. */
function byMonth(spans: readonly FacetCount[]): { value: FacetValue; count: number; record: number }[] {
  const ends = spans.flatMap(({ key }) => key.map(Number)).filter(Number.isFinite);
  const [first, last] = ends.reduce(
    ([least, greatest], end) => [Math.min(least, end), Math.max(greatest, end)],
    [Infinity, -Infinity],
  );
  const months = new Map<number, { count: number; record: number }>();
  for (const { key, count, record } of spans) {
    const [from = first, to = last] = key.map(Number);
    for (let month = Math.max(from, first); month <= Math.min(to, last); month += 1) {
      months.set(month, { count: (months.get(month)?.count ?? 0) + count, record });
    }
  }
  return [...months]
    .sort(([one], [other]) => other - one)
    .map(([month, counted]) => ({ value: { kind: 'date', month: nameOf(month) }, ...counted }));
}

function nameOf(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
}
