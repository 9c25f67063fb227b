import type { LiteralReference } from '../../core/fhir/reference.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { IndexTable, Term, TokenValue } from '../../core/fhir/search-criteria.ts';
import { isSingle, keyNumber } from '../../core/fhir/search-parameters.ts';
import { fold } from '../../core/fhir/search-values.ts';
import { sqliteDialect, type Dialect } from './dialect.ts';
import {
  boundsOf,
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
export function partsOf(type: ResourceType, terms: readonly Term[], dialect = sqliteDialect): Part[] {
  const ranges = Map.groupBy(terms.filter(isRange), keyOfRange);
  const folded = new Set([...ranges.values()].filter((group) => group.length > 1).flat());
  const others: readonly Term[] = terms.filter((term) => !(folded as ReadonlySet<Term>).has(term));
  return [
    ...[...ranges.values()].flatMap((group) => {
      const [first, ...rest] = group;
      return first && rest.length > 0 ? [partOfRange(type, [first, ...rest], dialect)] : [];
    }),
    ...others.map((term) => partOf(type, term, dialect)),
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

function partOfRange(type: ResourceType, terms: readonly [Range, ...Range[]], dialect: Dialect): Part {
  const [first] = terms;
  const bounds = [terms.flatMap(boundsOfRange).reduce(narrowed)];
  const made =
    first.kind === 'updated' ? ofUpdated(type, bounds, dialect) : ofDate(first.key, bounds, dialect);
  return { terms, without: false, ...made };
}

function partOf(type: ResourceType, term: Term, dialect: Dialect): Part {
  const terms = [term] as const;
  const ofKey = (table: string, key: string, conditions: readonly Sql[], without = false): Part => ({
    ...{ terms, without },
    having: rows(table, key, conditions, dialect),
    test: rowOf(table, key, some(conditions), { there: !without, dialect }),
  });
  switch (term.kind) {
    case 'id': {
      const test = sql(`r.id IN (${term.anyOf.map(() => '?').join(', ')})`, ...term.anyOf);
      const having = line('SELECT r.pk FROM record r WHERE', isOfType('r', type), 'AND', test);
      return { terms, without: false, having, test };
    }
    case 'updated':
      return { terms, without: false, ...ofUpdated(type, boundsOfRange(term), dialect) };
    case 'date':
      return { terms, without: false, ...ofDate(term.key, boundsOfRange(term), dialect) };
    case 'missing':
      return ofKey(tables[term.table], term.key, [ofTarget(term.target)], term.missing);
    case 'token': {
      const conditions = term.anyOf.map((value) => tokenIs(value, dialect));
      return ofKey('token', term.key, conditions, term.not);
    }
    case 'reference': {
      const conditions = term.anyOf.map((value) => targetIs(value, term.target, dialect));
      return ofKey('reference', term.key, conditions);
    }
    case 'string': {
      const conditions = term.anyOf.map((value) => stringIs(term.match, value, dialect));
      return ofKey('string', term.key, conditions);
    }
  }
}

function ofUpdated(type: ResourceType, any: readonly Bounds[], dialect: Dialect) {
  const ways = any.map((bounds) =>
    dialect.updated(type, (column) => every(updatedConditions(column, bounds))),
  );
  return { having: union(ways.map((way) => way.having)), test: some(ways.map((way) => way.test)) };
}

function ofDate(key: string, any: readonly Bounds[], dialect: Dialect) {
  const test = some(any.map((bounds) => every(periodConditions(bounds))));
  return {
    having: rows('date_range', key, any.flatMap(periodEntries), dialect),
    test: rowOf('date_range', key, test, { there: true, dialect }),
  };
}

/** That a record has, or has not, an index row that meets a condition. */
function rowOf(
  table: string,
  key: string,
  condition: Sql,
  { there, dialect }: { readonly there: boolean; readonly dialect: Dialect },
): Sql {
  const exists = there ? dialect.exists : 'NOT EXISTS';
  const own = dialect.isRowOf('f', 'r');
  return line(
    sql(
      `${exists} (SELECT 1 FROM ${table} f${dialect.byRecord} WHERE ${own} AND f.key = ? AND`,
      keyNumber(key),
    ),
    condition,
    `${dialect.fence})`,
  );
}

function rows(table: string, key: string, conditions: readonly Sql[], { recordOf }: Dialect): Sql {
  return union(
    conditions.map((one) =>
      line(sql(`SELECT ${recordOf('f')} AS pk FROM ${table} f WHERE f.key = ? AND`, keyNumber(key)), one),
    ),
  );
}

function union(selects: readonly Sql[]): Sql {
  return join(selects, ' UNION ALL ');
}

function targetIs({ id, type, base }: LiteralReference, target: string | undefined, dialect: Dialect): Sql {
  return every([
    dialect.is('f.target', id),
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

function tokenIs({ system, code }: TokenValue, dialect: Dialect): Sql {
  return every([
    ...(code === undefined ? [] : [dialect.is('f.code', code)]),
    ...(system === undefined
      ? []
      : [system === null ? sql('f.system IS NULL') : sql('f.system = ?', system)]),
  ]);
}

function stringIs(match: 'start' | 'exact' | 'contains', value: string, dialect: Dialect): Sql {
  switch (match) {
    case 'start':
      return dialect.startsWith('f.folded', value);
    case 'exact':
      return every([dialect.is('f.folded', fold(value)), sql('f.exact = ?', value)]);
    case 'contains':
      return dialect.holds('f.folded', value);
  }
}
