import type { LiteralReference } from '../../core/fhir/reference.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { IndexTable, Term, TokenValue } from '../../core/fhir/search-criteria.ts';
import { isSingle, keyNumber } from '../../core/fhir/search-parameters.ts';
import { fold } from '../../core/fhir/search-values.ts';
import { isOfBatchSql, recordsOfBatchSql } from './batch-sql.ts';
import type { Dialect } from './dialect.ts';
import {
  boundsOf,
  narrow,
  periodConditions,
  periodEntries,
  updatedConditions,
  type Bounds,
} from './search-bounds.ts';
import { joinAnd, isOfType, join, line, joinOr, sql, type Sql } from './sql.ts';

const tables: Readonly<Record<IndexTable, string>> = {
  reference: 'reference',
  token: 'token',
  date: 'date_range',
  string: 'string',
};

/** SQL of one search term, or of several terms on one range. */
export interface Part {
  /** The terms. The first determines the selectivity. */
  readonly terms: readonly [Term, ...Term[]];
  /** A SELECT of the keys of records with a matching index row. A key may appear twice. */
  readonly having: Sql;
  /** True to select the records of the type that are not in `having`. */
  readonly isExcluded: boolean;
  /** Condition on `record r`, by the index rows of that record. */
  readonly test: Sql;
}

/** Returns the parts of a search. All must match. */
export function partsOf(type: ResourceType, terms: readonly Term[], dialect: Dialect): Part[] {
  const ranges = Map.groupBy(terms.filter(isRange), keyOfRange);
  const combinedTerms = new Set([...ranges.values()].filter((group) => group.length > 1).flat());
  const singleTerms: readonly Term[] = terms.filter(
    (term) => !(combinedTerms as ReadonlySet<Term>).has(term),
  );
  return [
    ...[...ranges.values()].flatMap((group) => {
      const [firstTerm, ...furtherTerms] = group;
      return firstTerm && furtherTerms.length > 0
        ? [partOfRange(type, [firstTerm, ...furtherTerms], dialect)]
        : [];
    }),
    ...singleTerms.map((term) => partOf(type, term, dialect)),
  ];
}

type Range = Extract<Term, { kind: 'date' | 'updated' }>;

/**
 * Returns true if a term has one range of an element with one value. Several such terms on one element can be
 * combined.
 */
function isRange(term: Term): term is Range {
  const single = term.kind === 'updated' || (term.kind === 'date' && isSingle(term.key));
  return single && boundsOfRange(term).length === 1;
}

function boundsOfRange({ kind, values }: Range): readonly Bounds[] {
  return boundsOf(values, kind === 'updated' ? 'instant' : 'period');
}

function keyOfRange(term: Range): string {
  return term.kind === 'updated' ? '' : term.key;
}

function partOfRange(type: ResourceType, terms: readonly [Range, ...Range[]], dialect: Dialect): Part {
  const [firstTerm] = terms;
  const bounds = [terms.flatMap(boundsOfRange).reduce(narrow)];
  const conditions =
    firstTerm.kind === 'updated' ? ofUpdated(type, bounds, dialect) : ofDate(firstTerm.key, bounds, dialect);
  return { terms, isExcluded: false, ...conditions };
}

function partOf(type: ResourceType, term: Term, dialect: Dialect): Part {
  const terms = [term] as const;
  const ofKey = (table: string, key: string, conditions: readonly Sql[], isExcluded = false): Part => ({
    terms,
    isExcluded,
    having: rows(table, key, conditions, dialect),
    test: rowOf(table, key, joinOr(conditions), { isPresent: !isExcluded, dialect }),
  });
  switch (term.kind) {
    case 'id': {
      const test = sql(`r.id IN (${term.values.map(() => '?').join(', ')})`, ...term.values);
      const having = line('SELECT r.pk FROM record r WHERE', isOfType('r', type), 'AND', test);
      return { terms, isExcluded: false, having, test };
    }
    case 'batch': {
      const test = isOfBatchSql('r.pk', ...term.values);
      const having = recordsOfBatchSql(isOfType('r', type), ...term.values);
      return { terms, isExcluded: false, having, test };
    }
    case 'updated':
      return { terms, isExcluded: false, ...ofUpdated(type, boundsOfRange(term), dialect) };
    case 'date':
      return { terms, isExcluded: false, ...ofDate(term.key, boundsOfRange(term), dialect) };
    case 'missing':
      return ofKey(tables[term.table], term.key, [ofTarget(term.target)], term.missing);
    case 'token': {
      const conditions = term.values.map((value) => tokenIs(value, dialect));
      return ofKey('token', term.key, conditions, term.not);
    }
    case 'reference': {
      const conditions = term.values.map((value) => targetIs(value, term.target, dialect));
      return ofKey('reference', term.key, conditions);
    }
    case 'string': {
      const conditions = term.values.map((value) => stringIs(term.match, value, dialect));
      return ofKey('string', term.key, conditions);
    }
  }
}

function ofUpdated(type: ResourceType, anyBounds: readonly Bounds[], dialect: Dialect) {
  const alternatives = anyBounds.map((bounds) =>
    dialect.updated(type, (column) => joinAnd(updatedConditions(column, bounds))),
  );
  return {
    having: union(alternatives.map((alternative) => alternative.having)),
    test: joinOr(alternatives.map((alternative) => alternative.test)),
  };
}

function ofDate(key: string, anyBounds: readonly Bounds[], dialect: Dialect) {
  const test = joinOr(anyBounds.map((bounds) => joinAnd(periodConditions(bounds))));
  return {
    having: rows('date_range', key, anyBounds.flatMap(periodEntries), dialect),
    test: rowOf('date_range', key, test, { isPresent: true, dialect }),
  };
}

/** Returns the condition that a record has, or lacks, an index row with a condition. */
function rowOf(
  table: string,
  key: string,
  condition: Sql,
  { isPresent, dialect }: { readonly isPresent: boolean; readonly dialect: Dialect },
): Sql {
  const exists = isPresent ? dialect.exists : 'NOT EXISTS';
  const belongsToOwnRecordSql = dialect.belongsToRecordSql('f', 'r');
  return line(
    sql(
      `${exists} (SELECT 1 FROM ${table} f${dialect.byRecord} WHERE ${belongsToOwnRecordSql} AND f.key = ? AND`,
      keyNumber(key),
    ),
    condition,
    `${dialect.fence})`,
  );
}

function rows(table: string, key: string, conditions: readonly Sql[], { recordSql }: Dialect): Sql {
  return union(
    conditions.map((condition) =>
      line(
        sql(`SELECT ${recordSql('f')} AS pk FROM ${table} f WHERE f.key = ? AND`, keyNumber(key)),
        condition,
      ),
    ),
  );
}

function union(selects: readonly Sql[]): Sql {
  return join(selects, ' UNION ALL ');
}

function targetIs({ id, type, base }: LiteralReference, target: string | undefined, dialect: Dialect): Sql {
  return joinAnd([
    dialect.equals('f.target', id),
    // Rows of elements without a literal reference have an empty target, which must not match.
    ...(id === '' ? [sql('FALSE')] : []),
    ...(type === undefined ? [] : [sql('f.target_type = ?', type)]),
    ...(base === undefined ? [] : [sql('f.target_base = ?', base)]),
    ...(target === undefined ? [] : [ofTarget(target)]),
  ]);
}

/** Returns the condition that a literal reference has this type or none. */
function ofTarget(target: string | undefined): Sql {
  return target === undefined ? sql('TRUE') : sql('(f.target_type IS NULL OR f.target_type = ?)', target);
}

function tokenIs({ system, code }: TokenValue, dialect: Dialect): Sql {
  return joinAnd([
    ...(code === undefined ? [] : [dialect.equals('f.code', code)]),
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
      return joinAnd([dialect.equals('f.folded', fold(value)), sql('f.exact = ?', value)]);
    case 'contains':
      return dialect.contains('f.folded', value);
  }
}
