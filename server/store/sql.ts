import type { ResourceType } from '../../core/fhir/resource.ts';

/** Columns with their PostgreSQL types. */
export type Columns = readonly (readonly [name: string, type: string])[];

/** Parses a column list of SQL. */
export function columnsIn(list: string): Columns {
  return list.split(',').map((column) => {
    const [name = '', ...type] = column.trim().split(/\s+/);
    return [name, type.join(' ')] as const;
  });
}

/** Returns the names of columns, each with a prefix. */
export function columnNames(columns: Columns, prefix = ''): string {
  return columns.map(([name]) => prefix + name).join(', ');
}

export type Value = string | number | Buffer | null;

/** A piece of SQL with the values of its placeholders in order. */
export interface Sql {
  readonly text: string;
  readonly values: readonly (string | number)[];
}

export function sql(text: string, ...values: readonly (string | number)[]): Sql {
  return { text, values };
}

/** Joins pieces with a separator. A string is a piece without values. */
export function join(pieces: readonly (Sql | string)[], separator: string): Sql {
  let text = '';
  const values: (string | number)[] = [];
  for (const piece of pieces) {
    if (text !== '') text += separator;
    if (typeof piece === 'string') {
      text += piece;
    } else {
      text += piece.text;
      values.push(...piece.values);
    }
  }
  return { text, values };
}

/** Joins pieces with spaces. */
export function line(...pieces: readonly (Sql | string)[]): Sql {
  return join(pieces, ' ');
}

/** Joins conditions with AND. Returns TRUE if there are none. */
export function joinAnd(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql('TRUE') : join(conditions, ' AND ');
}

/** Joins conditions with OR, in parentheses. */
export function joinOr(conditions: readonly Sql[]): Sql {
  return line('(', join(conditions, ' OR '), ')');
}

/**
 * Returns a LIMIT with a literal number, because SQLite prepares the statement again for each bound value.
 */
export function limited(rows: number): string {
  return `LIMIT ${Math.trunc(rows)}`;
}

/** Returns the condition on a type, as a literal, because a partial index serves no placeholder. */
export function isOfType(table: string, type: ResourceType): string {
  return `${table}.type = '${type}'`;
}
