/** A piece of SQL and the values of its placeholders, in order. */
export interface Sql {
  readonly text: string;
  readonly values: readonly (string | number)[];
}

export function sql(text: string, ...values: readonly (string | number)[]): Sql {
  return { text, values };
}

/** The pieces with a separator between them. */
export function join(pieces: readonly Sql[], separator: string): Sql {
  return {
    text: pieces.map(({ text }) => text).join(separator),
    values: pieces.flatMap(({ values }) => values),
  };
}

/** The pieces one behind the other; a string is a piece without values. */
export function line(...pieces: readonly (Sql | string)[]): Sql {
  return join(
    pieces.map((piece) => (typeof piece === 'string' ? sql(piece) : piece)),
    ' ',
  );
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
