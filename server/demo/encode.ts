/** A number that keeps its text: 1.50 keeps its zero, which `JSON.stringify` would drop. */
export class Decimal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Json = string | number | boolean | Decimal | readonly Json[] | JsonObject;

/** A member that is undefined is not written. */
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/** The value as JSON text (RFC 8259) without white space, its members in the order in which they were made. */
export function write(value: Json): string {
  if (value instanceof Decimal) return value.text;
  if (isArray(value)) return `[${value.map(write).join(',')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${JSON.stringify(name)}:${write(member)}`],
  );
  return `{${members.join(',')}}`;
}

/** `Array.isArray` does not narrow a readonly array. */
function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Returns the items; undefined for an empty list, because FHIR has no empty arrays (R4 json.html). */
export function omitEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length > 0 ? items : undefined;
}
