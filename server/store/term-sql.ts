import type { LiteralReference } from '../../core/fhir/reference.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { IndexTable, Term, TokenValue } from '../../core/fhir/search-criteria.ts';
import { isSingle, keyNumber } from '../../core/fhir/search-parameters.ts';
import { fold } from '../../core/fhir/search-values.ts';
import { isRowOf, recordOf } from './row-key.ts';
import {
  boundsOf,
  lastCharacter,
  narrowed,
  periodConditions,
  periodEntries,
  updatedConditions,
  type Bounds,
} from './search-bounds.ts';
import { every, isOfType, join, line, some, sql, type Sql } from './sql.ts';

/** The index table of each search type. */
const tables: Readonly<Record<IndexTable, string>> = {
  reference: 'reference',
  token: 'token',
  date: 'date_range',
  string: 'string',
};

/** What one term asks, or several that one range answers. */
export interface Part {
  /** The terms, of which the first tells how rare a match is. */
  readonly terms: readonly [Term, ...Term[]];
  /** A SELECT of the numbers of the records that have what is looked for, by an index; a number may come twice. */
  readonly having: Sql;
  /** Whether the others are asked for: the records of the type without it. */
  readonly without: boolean;
  /** The condition on `record r` that the part says, through the index rows of that record. */
  readonly test: Sql;
}

/** What a search asks, part by part; all of them hold. */
export function partsOf(type: ResourceType, terms: readonly Term[]): Part[] {
  const ranges = Map.groupBy(terms.filter(isRange), keyOfRange);
  const folded = new Set([...ranges.values()].filter((group) => group.length > 1).flat());
  const others: readonly Term[] = terms.filter((term) => !(folded as ReadonlySet<Term>).has(term));
  return [
    ...[...ranges.values()].flatMap((group) => {
      const [first, ...rest] = group;
      return first && rest.length > 0 ? [partOfRange(type, [first, ...rest])] : [];
    }),
    ...others.map((term) => partOf(type, term)),
  ];
}

type Range = Extract<Term, { kind: 'date' | 'updated' }>;

/** Whether a term bounds one range: others of the same element narrow it. */
function isRange(term: Term): term is Range {
  const single = term.kind === 'updated' || (term.kind === 'date' && isSingle(term.key));
  return single && boundsOfRange(term).length === 1;
}

function boundsOfRange({ kind, anyOf }: Range): readonly Bounds[] {
  return boundsOf(anyOf, kind === 'updated' ? 'instant' : 'period');
}

function keyOfRange(term: Range): string {
  return term.kind === 'updated' ? '' : term.key;
}

function partOfRange(type: ResourceType, terms: readonly [Range, ...Range[]]): Part {
  const [first] = terms;
  const bounds = [terms.flatMap(boundsOfRange).reduce(narrowed)];
  const made = first.kind === 'updated' ? ofUpdated(type, bounds) : ofDate(first.key, bounds);
  return { terms, without: false, ...made };
}

function partOf(type: ResourceType, term: Term): Part {
  const terms = [term] as const;
  switch (term.kind) {
    case 'id': {
      const test = sql(`r.id IN (${term.anyOf.map(() => '?').join(', ')})`, ...term.anyOf);
      return { terms, without: false, having: recordsWith(type, test), test };
    }
    case 'updated':
      return { terms, without: false, ...ofUpdated(type, boundsOfRange(term)) };
    case 'date':
      return { terms, without: false, ...ofDate(term.key, boundsOfRange(term)) };
    case 'missing':
      return { terms, ...ofRows(tables[term.table], term.key, [ofTarget(term.target)], term.missing) };
    case 'token':
      return { terms, ...ofRows('token', term.key, term.anyOf.map(tokenIs), term.not) };
    case 'reference':
      return {
        terms,
        ...ofRows(
          'reference',
          term.key,
          term.anyOf.map((value) => targetIs(value, term.target)),
        ),
      };
    case 'string':
      return {
        terms,
        ...ofRows(
          'string',
          term.key,
          term.anyOf.map((value) => stringIs(term.match, value)),
        ),
      };
  }
}

function recordsWith(type: ResourceType, condition: Sql): Sql {
  return line('SELECT r.pk FROM record r WHERE', isOfType('r', type), 'AND', condition);
}

function ofUpdated(type: ResourceType, any: readonly Bounds[]) {
  const ways = any.map((bounds) => every(updatedConditions(bounds)));
  return { having: union(ways.map((way) => recordsWith(type, way))), test: some(ways) };
}

function ofDate(key: string, any: readonly Bounds[]) {
  const test = some(any.map((bounds) => every(periodConditions(bounds))));
  return {
    having: rows('date_range', key, any.flatMap(periodEntries)),
    test: rowOf('date_range', key, test, true),
  };
}

/** The part of which an index row is looked for that meets any of the conditions. */
function ofRows(table: string, key: string, conditions: readonly Sql[], without = false) {
  const test = rowOf(table, key, some(conditions), !without);
  return { having: rows(table, key, conditions), without, test };
}

/**
 * The plus keeps SQLite from turning the subquery into a join: with the statistics that better-sqlite3 is built with, it
 * prepares such a statement anew at each execution.
 */
function rowOf(table: string, key: string, condition: Sql, there: boolean): Sql {
  const exists = there ? '+EXISTS' : 'NOT EXISTS';
  return line(
    sql(
      `${exists} (SELECT 1 FROM ${table} f NOT INDEXED WHERE ${isRowOf('f', 'r')} AND f.key = ? AND`,
      keyNumber(key),
    ),
    condition,
    ')',
  );
}

function rows(table: string, key: string, conditions: readonly Sql[]): Sql {
  return union(
    conditions.map((one) =>
      line(sql(`SELECT ${recordOf('f')} AS pk FROM ${table} f WHERE f.key = ? AND`, keyNumber(key)), one),
    ),
  );
}

function union(selects: readonly Sql[]): Sql {
  return join(selects, ' UNION ALL ');
}

function targetIs({ id, type, base }: LiteralReference, target: string | undefined): Sql {
  return every([
    sql('f.target = ?', id),
    // Rows of elements without a literal hold an empty target, which no search may find.
    ...(id === '' ? [sql('FALSE')] : []),
    ...(type === undefined ? [] : [sql('f.target_type = ?', type)]),
    ...(base === undefined ? [] : [sql('f.target_base = ?', base)]),
    ...(target === undefined ? [] : [ofTarget(target)]),
  ]);
}

/** The condition that a literal which names a type names this one. */
function ofTarget(target: string | undefined): Sql {
  return target === undefined ? sql('TRUE') : sql('(f.target_type IS NULL OR f.target_type = ?)', target);
}

function tokenIs({ system, code }: TokenValue): Sql {
  return every([
    ...(code === undefined ? [] : [sql('f.code = ?', code)]),
    ...(system === undefined
      ? []
      : [system === null ? sql('f.system IS NULL') : sql('f.system = ?', system)]),
  ]);
}

function stringIs(match: 'start' | 'exact' | 'contains', value: string): Sql {
  switch (match) {
    case 'start':
      return sql('f.folded >= ? AND f.folded < ?', value, value + lastCharacter);
    case 'exact':
      return sql('f.folded = ? AND f.exact = ?', fold(value), value);
    case 'contains':
      return sql('instr(f.folded, ?) > 0', value);
  }
}
