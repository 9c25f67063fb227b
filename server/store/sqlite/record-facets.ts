import type { Facet } from '../../../core/fhir/facet.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { indexKey, keyNumber } from '../../../core/fhir/search-parameters.ts';
import { FacetColumn, type FacetKey } from './facet-column.ts';
import { byMonth, monthsOf, valueOf, type FacetValues } from '../facet-values.ts';
import { keepNewest } from '../keep-newest.ts';
import type { MatchSets } from './match-sets.ts';
import { recordOf, rowKey } from '../row-key.ts';
import { isOfType, line, sql, type Sql, type Value } from '../sql.ts';
import { listOf, type Statements } from './statements.ts';
import { atOnce, type Steps } from './turns.ts';

/** Where a facet's values stand, and what they are made of. */
interface Source {
  readonly table: string;
  readonly columns: string;
  /** Whether an index holds them all: rows are looked up one by one else. */
  readonly indexed?: true;
  readonly keyOf: (cells: Value[]) => FacetKey | undefined;
}

const textKey = (cells: Value[]): FacetKey | undefined => (cells[0] === '' ? undefined : cells);

const sources: Readonly<Record<Facet['kind'], Source>> = {
  token: {
    table: 'token',
    columns: 'system, code',
    indexed: true,
    keyOf: ([system = null, code = '']) => (code === '' ? undefined : [system, code]),
  },
  reference: { table: 'reference', columns: 'target, target_type, target_base', keyOf: textKey },
  uri: { table: 'string', columns: 'exact', keyOf: textKey },
  date: {
    table: 'date_range',
    columns: 'low, high',
    indexed: true,
    keyOf: ([low, high]) => monthsOf(low, high),
  },
  finding: { table: 'issue', columns: 'rule', keyOf: textKey },
};

/** Columns that are kept; those asked for lately stay. */
const most = 24;

/** So many changed records are looked at one by one, or this share of all; where more came, a column is made anew. */
const mostChanged = { records: 5_000, share: 0.05 };

/** Records of one step. */
const slice = 10_000;

/** What a record's rows say of a facet, and up to which version they are told. */
interface Kept {
  readonly column: FacetColumn;
  seen: number;
}

/** Counts the values that the matches of a search have, from columns that a write only mends. */
export class RecordFacets {
  private readonly statements: Statements;
  private readonly sets: MatchSets;
  private readonly columns = new Map<string, Kept>();
  private readonly begun = new Map<string, Steps<Kept>>();

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

  /** Makes a step of what the first answer would wait for; whether others are to come. */
  prepare(type: ResourceType, facet: Facet): boolean {
    const name = nameOf(type, facet);
    if (this.columns.has(name)) return false;
    const steps = this.begun.get(name) ?? this.made(type, facet);
    const step = steps.next();
    if (step.done) {
      this.begun.delete(name);
      keepNewest(this.columns, name, step.value, most);
    } else this.begun.set(name, steps);
    return !step.done;
  }

  /** Records were removed, or index rows were made anew. */
  forget(): void {
    this.columns.clear();
    this.begun.clear();
  }

  private idOf(record: number): string {
    const [row] = this.statements.rows(sql('SELECT id FROM record WHERE pk = ?', record));
    return String(row?.[0] ?? '');
  }

  private column(type: ResourceType, facet: Facet): FacetColumn {
    const now = this.sets.written();
    const name = nameOf(type, facet);
    const known = this.columns.get(name);
    const few = Math.max(mostChanged.records, mostChanged.share * now);
    const kept =
      known && known.seen <= now && now - known.seen <= few
        ? known
        : atOnce(this.begun.get(name) ?? this.made(type, facet));
    this.begun.delete(name);
    if (kept.seen < now) this.mend(kept.column, type, facet, kept.seen);
    kept.seen = now;
    keepNewest(this.columns, name, kept, most);
    return kept.column;
  }

  private *made(type: ResourceType, facet: Facet): Steps<Kept> {
    const seen = this.sets.written();
    const highest = this.statements.number(sql('SELECT max(pk) FROM record'));
    const column = new FacetColumn(highest);
    if (sources[facet.kind].indexed) this.fill(column, type, facet);
    else {
      for (let from = 0; from <= highest; from += slice) {
        if (from > 0) yield;
        this.fill(column, type, facet, [from, from + slice]);
      }
    }
    return { column, seen };
  }

  /** Reads the rows of the records that were written since. */
  private mend(column: FacetColumn, type: ResourceType, facet: Facet, seen: number): void {
    for (const record of this.sets.changedSince(seen)) {
      column.clear(record);
      this.fill(column, type, facet, [record, record + 1]);
    }
  }

  /** Reads the rows of all records, or of those from one number to another. */
  private fill(
    column: FacetColumn,
    type: ResourceType,
    facet: Facet,
    records?: readonly [from: number, to: number],
  ): void {
    const { keyOf } = sources[facet.kind];
    this.statements.each(rowsOf(type, facet, records), ([list = null, ...cells]) => {
      const key = keyOf(cells);
      if (key) column.add(list, key);
    });
  }
}

function nameOf(type: ResourceType, { name }: Facet): string {
  return `${type}.${name}`;
}

/** The rows `[list of records, ...columns]` of a facet. */
function rowsOf(type: ResourceType, facet: Facet, records?: readonly [from: number, to: number]): Sql {
  const { table, columns } = sources[facet.kind];
  const text = `SELECT ${listOf(recordOf('f'))}, ${columns} FROM ${table} f ${records ? 'NOT INDEXED' : ''}`;
  const where =
    facet.kind === 'finding'
      ? sql(`CROSS JOIN record r ON r.pk = f.record WHERE ${isOfType('r', type)}`)
      : sql('WHERE f.key = ?', keyNumber(indexKey(type, facet.parameter)));
  const among = records
    ? sql('AND f.pk BETWEEN ? AND ?', rowKey(records[0], 0), rowKey(records[1], 0) - 1)
    : '';
  return line(text, where, among, `GROUP BY ${columns}`);
}
