import type { ResourceType } from '../../core/fhir/resource.ts';

/** Columns with their types in PostgreSQL. */
export type Columns = readonly (readonly [name: string, type: string])[];

/** The columns of a list as SQL writes it. */
export function columnsIn(list: string): Columns {
  return list.split(',').map((column) => {
    const [name = '', ...type] = column.trim().split(/\s+/);
    return [name, type.join(' ')] as const;
  });
}

/** The names of columns, with what stands in front of each. */
export function columnNames(columns: Columns, before = ''): string {
  return columns.map(([name]) => before + name).join(', ');
}

/** What a column holds. */
export type Value = string | number | Buffer | null;

/** A piece of SQL and the values of its placeholders, in order. */
export interface Sql {
  readonly text: string;
  readonly values: readonly (string | number)[];
}

export function sql(text: string, ...values: readonly (string | number)[]): Sql {
  return { text, values };
}

/** The pieces with a separator between them; a string is a piece without values. */
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

/** The pieces one behind the other. */
export function line(...pieces: readonly (Sql | string)[]): Sql {
  return join(pieces, ' ');
}

/** All of the conditions; true where there is none. */
export function every(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql('TRUE') : join(conditions, ' AND ');
}

/** Any of the conditions, in parentheses. */
export function some(conditions: readonly Sql[]): Sql {
  return line('(', join(conditions, ' OR '), ')');
}

/** A LIMIT; its number stands in the text, since SQLite prepares a statement anew for each other value bound there. */
export function limited(rows: number): string {
  return `LIMIT ${Math.trunc(rows)}`;
}

/** The condition that a row is of a type; as a literal, since a partial index serves no placeholder. */
export function isOfType(table: string, type: ResourceType): string {
  return `${table}.type = '${type}'`;
}
