import type { Facet } from '../../../core/fhir/facet.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { indexKey, keyNumber } from '../../../core/fhir/search-parameters.ts';
import {
  byMonth,
  monthsOf,
  valueOf,
  type FacetKey,
  type FacetValues,
  type FacetCount,
} from '../facet-values.ts';
import { retainLatest } from '../retain-latest.ts';
import type { MatchSets } from './match-sets.ts';
import { recordSql, rowKey } from '../../sqlite/row-key.ts';
import { isOfType, line, sql, type Sql, type Value } from '../sql.ts';
import { listOf, visitListNumbers, type Statements } from './statements.ts';
import { runToEnd, type Steps } from './cooperative-steps.ts';
import type { MatchSet } from './match-set.ts';

/** Table and columns with the values of a facet. */
interface Source {
  readonly table: string;
  readonly columns: string;
  /** True if an index covers the columns. Otherwise rows are read one by one. */
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

/** Maximum number of cached columns. Those not used lately are evicted. */
const maxColumns = 24;

/** Up to this number or share of changed records, a column is updated. Otherwise it is rebuilt. */
const maxChanged = { records: 5_000, share: 0.05 };

/** Records per step. */
const recordsPerStep = 10_000;

/** A column of facet values and the version up to which it is current. */
interface CachedColumn {
  readonly column: FacetColumn;
  lastVersion: number;
}

/** Counts the values of the matches of a search, from columns that are updated after writes. */
export class RecordFacets {
  private readonly statements: Statements;
  private readonly sets: MatchSets;
  private readonly columns = new Map<string, CachedColumn>();
  private readonly unfinished = new Map<string, Steps<CachedColumn>>();

  constructor(statements: Statements, sets: MatchSets) {
    this.statements = statements;
    this.sets = sets;
  }

  /** Returns up to `limit` values of a facet among the matches. */
  values(criteria: SearchCriteria, facet: Facet, limit: number): FacetValues {
    const { kind } = facet;
    const counts = this.column(criteria.type, facet).counts(this.sets.findMatches(criteria));
    const facetValues =
      kind === 'date'
        ? byMonth(counts)
        : counts.map((entry) => ({ ...entry, value: valueOf(kind, entry.key) }));
    return {
      total: facetValues.length,
      values: facetValues
        .slice(0, limit)
        .map(({ value, count, record }) => ({ value, count, id: this.idOf(record) })),
    };
  }

  /** Runs one step of the preparation of a column. Returns true if more steps follow. */
  prepare(type: ResourceType, facet: Facet): boolean {
    const name = nameOf(type, facet);
    if (this.columns.has(name)) return false;
    const steps = this.unfinished.get(name) ?? this.buildColumn(type, facet);
    const step = steps.next();
    if (step.done) {
      this.unfinished.delete(name);
      retainLatest(this.columns, name, step.value, maxColumns);
    } else this.unfinished.set(name, steps);
    return !step.done;
  }

  /** Discards all columns. Call it after records were removed or index rows were rebuilt. */
  forget(): void {
    this.columns.clear();
    this.unfinished.clear();
  }

  private idOf(record: number): string {
    const [row] = this.statements.rows(sql('SELECT id FROM record WHERE pk = ?', record));
    return String(row?.[0] ?? '');
  }

  private column(type: ResourceType, facet: Facet): FacetColumn {
    const now = this.sets.readLatestVersion();
    const name = nameOf(type, facet);
    const cachedColumn = this.columns.get(name);
    const maxChangedRecords = Math.max(maxChanged.records, maxChanged.share * now);
    const currentColumn =
      cachedColumn && cachedColumn.lastVersion <= now && now - cachedColumn.lastVersion <= maxChangedRecords
        ? cachedColumn
        : runToEnd(this.unfinished.get(name) ?? this.buildColumn(type, facet));
    this.unfinished.delete(name);
    if (currentColumn.lastVersion < now)
      this.mend(currentColumn.column, type, facet, currentColumn.lastVersion);
    currentColumn.lastVersion = now;
    retainLatest(this.columns, name, currentColumn, maxColumns);
    return currentColumn.column;
  }

  private *buildColumn(type: ResourceType, facet: Facet): Steps<CachedColumn> {
    const lastVersion = this.sets.readLatestVersion();
    const highest = this.statements.number(sql('SELECT max(pk) FROM record'));
    const column = new FacetColumn(highest);
    if (sources[facet.kind].indexed) this.fill(column, type, facet);
    else {
      for (let from = 0; from <= highest; from += recordsPerStep) {
        if (from > 0) yield;
        this.fill(column, type, facet, [from, from + recordsPerStep]);
      }
    }
    return { column, lastVersion };
  }

  /** Updates a column with the rows of later records. */
  private mend(column: FacetColumn, type: ResourceType, facet: Facet, lastVersion: number): void {
    for (const record of this.sets.changedSince(lastVersion)) {
      column.clear(record);
      this.fill(column, type, facet, [record, record + 1]);
    }
  }

  /** Reads the rows of all records or of a key range. */
  private fill(
    column: FacetColumn,
    type: ResourceType,
    facet: Facet,
    records?: readonly [from: number, to: number],
  ): void {
    const { keyOf } = sources[facet.kind];
    this.statements.visitRows(rowsOf(type, facet, records), ([list = null, ...cells]) => {
      const key = keyOf(cells);
      if (key) column.add(list, key);
    });
  }
}

function nameOf(type: ResourceType, { name }: Facet): string {
  return `${type}.${name}`;
}

/** Selects the rows `[list of records, ...columns]` of a facet. */
function rowsOf(type: ResourceType, facet: Facet, records?: readonly [from: number, to: number]): Sql {
  const { table, columns } = sources[facet.kind];
  const text = `SELECT ${listOf(recordSql('f'))}, ${columns} FROM ${table} f ${records ? 'NOT INDEXED' : ''}`;
  const where =
    facet.kind === 'finding'
      ? sql(`CROSS JOIN record r ON r.pk = f.record WHERE ${isOfType('r', type)}`)
      : sql('WHERE f.key = ?', keyNumber(indexKey(type, facet.parameter)));
  const rangeCondition = records
    ? sql('AND f.pk BETWEEN ? AND ?', rowKey(records[0], 0), rowKey(records[1], 0) - 1)
    : '';
  return line(text, where, rangeCondition, `GROUP BY ${columns}`);
}

const noValue = 0;

/**
 * Maps each record to its values of one element. A value is a number. Most records have one value, so further values
 * are in a separate map.
 */
class FacetColumn {
  private readonly keys: FacetKey[] = [[]];
  private readonly numbers = new Map<string, number>();
  private firsts: Uint32Array;
  private readonly furtherValues = new Map<number, number[]>();

  constructor(highest: number) {
    this.firsts = new Uint32Array(highest + 1);
  }

  /** Adds a value to the records of a list, in the format of {@link visitListNumbers}. */
  add(list: Value, key: FacetKey): void {
    const number = this.numberOf(key);
    visitListNumbers(list, (record) => this.put(record, number));
  }

  private put(record: number, number: number): void {
    if (record >= this.firsts.length) {
      const wider = new Uint32Array(record + 1 + (record >>> 3));
      wider.set(this.firsts);
      this.firsts = wider;
    }
    const firstValue = this.firsts[record] ?? noValue;
    if (firstValue === noValue) this.firsts[record] = number;
    else if (firstValue !== number) {
      const furtherValues = this.furtherValues.get(record) ?? [];
      if (!furtherValues.includes(number)) this.furtherValues.set(record, [...furtherValues, number]);
    }
  }

  clear(record: number): void {
    if (record < this.firsts.length) this.firsts[record] = noValue;
    this.furtherValues.delete(record);
  }

  /** Counts the matches per value, most frequent first. */
  counts(matches: MatchSet): FacetCount[] {
    const counts = new Uint32Array(this.keys.length);
    const records = new Uint32Array(this.keys.length);
    const count = (number: number, record: number) => {
      counts[number] = (counts[number] ?? 0) + 1;
      records[number] = record;
    };
    matches.forEach((record) => {
      count(this.firsts[record] ?? noValue, record);
    });
    for (const [record, furtherValues] of this.furtherValues) {
      if (matches.has(record)) for (const number of furtherValues) count(number, record);
    }
    return this.keys
      .map((key, number) => ({ key, count: counts[number] ?? 0, record: records[number] ?? 0 }))
      .filter(({ count: matching }, number) => number !== noValue && matching > 0)
      .sort((count, right) => right.count - count.count);
  }

  private numberOf(key: FacetKey): number {
    const name = JSON.stringify(key);
    const existingNumber = this.numbers.get(name);
    if (existingNumber !== undefined) return existingNumber;
    this.keys.push(key);
    this.numbers.set(name, this.keys.length - 1);
    return this.keys.length - 1;
  }
}
