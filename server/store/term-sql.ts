import type { LiteralReference } from '../../core/fhir/reference.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { DateValue, IndexTable, Term, TokenValue } from '../../core/fhir/search-criteria.ts';
import { keyNumber } from '../../core/fhir/search-parameters.ts';
import { fold } from '../../core/fhir/search-values.ts';
import { isRowOf } from './row-key.ts';
import { every, isOfType, join, line, some, sql, type Sql } from './sql.ts';

/** The index table of each search type. */
export const tables: Readonly<Record<IndexTable, string>> = {
  reference: 'reference',
  token: 'token',
  date: 'date_range',
  string: 'string',
};

/** Behind every text that begins with what stands before it. */
const lastCharacter = '\u{10ffff}';

/** The conditions on an index row `f`, one for each value of a term. */
function valuesOf(term: Exclude<Term, { kind: 'id' | 'updated' | 'missing' }>): Sql[] {
  switch (term.kind) {
    case 'reference':
      return term.anyOf.map((value) => targetIs(value, term.target));
    case 'token':
      return term.anyOf.map(tokenIs);
    case 'date':
      return term.anyOf.map((value) => every(dateConditions(value)));
    case 'string':
      return term.anyOf.map((value) => stringIs(term.match, value));
  }
}

/** The condition on `record r` that a term says, through the index rows of that record. */
export function testOf(term: Term): Sql {
  switch (term.kind) {
    case 'id':
      return sql(`r.id IN (${term.anyOf.map(() => '?').join(', ')})`, ...term.anyOf);
    case 'updated':
      return some(term.anyOf.map((value) => every(updatedConditions(value))));
    case 'missing':
      return rowOf(tables[term.table], term.key, ofTarget(term.target), !term.missing);
    case 'token':
      return rowOf('token', term.key, some(valuesOf(term)), !term.not);
    case 'reference':
    case 'date':
    case 'string':
      return rowOf(tables[term.kind], term.key, some(valuesOf(term)), true);
  }
}

function rowOf(table: string, key: string, condition: Sql, there: boolean): Sql {
  const exists = there ? 'EXISTS' : 'NOT EXISTS';
  return line(
    sql(
      `${exists} (SELECT 1 FROM ${table} f NOT INDEXED WHERE ${isRowOf('f', 'r')} AND f.key = ? AND`,
      keyNumber(key),
    ),
    condition,
    ')',
  );
}

/**
 * A SELECT of the `pk` of the records that meet a term, each of its parts entering an index by value; undefined
 * where no index leads to them.
 */
export function driverOf(type: ResourceType, term: Term): Sql | undefined {
  switch (term.kind) {
    case 'id':
      return line('SELECT r.pk FROM record r WHERE', isOfType('r', type), 'AND', testOf(term));
    case 'updated':
      if (term.anyOf.some(({ prefix }) => prefix === 'ne')) return undefined;
      return union(
        term.anyOf.map((value) =>
          line(
            'SELECT r.pk FROM record r WHERE',
            isOfType('r', type),
            'AND',
            every(updatedConditions(value)),
          ),
        ),
      );
    case 'missing':
      return undefined;
    case 'token':
      if (term.not || term.anyOf.some(({ code }) => code === undefined)) return undefined;
      return rows('token', term.key, valuesOf(term));
    case 'reference':
      return rows('reference', term.key, valuesOf(term));
    case 'date':
      if (term.anyOf.some(({ prefix }) => prefix === 'ne')) return undefined;
      return rows('date_range', term.key, valuesOf(term));
    case 'string':
      if (term.match === 'contains') return undefined;
      return rows('string', term.key, valuesOf(term));
  }
}

function rows(table: string, key: string, conditions: readonly Sql[]): Sql {
  return union(
    conditions.map((one) =>
      line(sql(`SELECT f.record AS pk FROM ${table} f WHERE f.key = ? AND`, keyNumber(key)), one),
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

/**
 * FHIR R4 search.html#prefix, with [low, high) the value's range: `eq` contains the element's range; the others ask
 * whether the element's range reaches into the time after or before, the value's own included for `ge` and `le`.
 */
function dateConditions({ prefix, low, high }: DateValue): Sql[] {
  switch (prefix) {
    case 'eq':
      return [sql('f.low >= ?', low), sql('f.low < ?', high), sql('f.high <= ?', high)];
    case 'ne':
      return [some([sql('f.low < ?', low), sql('f.high > ?', high)])];
    case 'gt':
      return [sql('f.high > ?', high)];
    case 'ge':
      return [sql('f.high > ?', low)];
    case 'lt':
      return [sql('f.low < ?', low)];
    case 'le':
      return [sql('f.low < ?', high)];
    case 'sa':
      return [sql('f.low >= ?', high)];
    case 'eb':
      return [sql('f.high <= ?', low)];
    case 'ap':
      return [sql('f.low < ?', high), sql('f.high > ?', low)];
  }
}

/** The same for an instant, which is stored as text. */
function updatedConditions({ prefix, low, high }: DateValue): Sql[] {
  const [from, to] = [instant(low), instant(high)];
  switch (prefix) {
    case 'eq':
      return [sql('r.last_updated >= ?', from), sql('r.last_updated < ?', to)];
    case 'ne':
      return [some([sql('r.last_updated < ?', from), sql('r.last_updated >= ?', to)])];
    case 'gt':
      return [sql('r.last_updated >= ?', to)];
    case 'ge':
      return [sql('r.last_updated >= ?', from)];
    case 'lt':
      return [sql('r.last_updated < ?', from)];
    case 'le':
      return [sql('r.last_updated < ?', to)];
    case 'sa':
      return [sql('r.last_updated >= ?', to)];
    case 'eb':
      return [sql('r.last_updated < ?', from)];
    case 'ap':
      return [sql('r.last_updated >= ?', from), sql('r.last_updated < ?', to)];
  }
}

/** Years beyond 9999 are written with a sign, which would sort before the digits. */
function instant(time: number): string {
  const text = new Date(time).toISOString();
  return /^\d/.test(text) ? text : time < 0 ? '' : lastCharacter;
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
