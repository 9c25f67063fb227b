/** Parses external data (disk, network, page, shell) by a schema, which also defines its type. */
import * as v from 'valibot';

/** Type of a schema, deeply readonly. */
export type Shape<Schema extends v.GenericSchema> = Frozen<v.InferOutput<Schema>>;

type Frozen<T> = unknown extends T
  ? T
  : T extends Uint8Array
    ? T
    : { readonly [Name in keyof T]: Frozen<T[Name]> };

/** Returns true if a value matches a schema. Members unknown to `v.object` are permitted. */
export function matchesSchema<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): value is Shape<Schema> {
  return v.is(schema, value);
}

/** Parses JSON text by a schema; undefined if it is invalid. */
export function parseAs<Schema extends v.GenericSchema>(
  schema: Schema,
  text: string,
): v.InferOutput<Schema> | undefined {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  return result.success ? result.output : undefined;
}

/** Schema of a JSON object. Excludes arrays, which `v.object` and `v.record` would accept. */
export const members = v.pipe(
  v.unknown(),
  v.check((value) => !Array.isArray(value)),
  v.looseObject({}),
);
