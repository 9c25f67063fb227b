/** Reads what comes from outside (disk, network, page, shell) by a schema, from which its type is taken too. */
import * as v from 'valibot';

/** What a schema describes, readonly all the way down. */
export type Shape<Schema extends v.GenericSchema> = Frozen<v.InferOutput<Schema>>;

type Frozen<T> = unknown extends T
  ? T
  : T extends Uint8Array
    ? T
    : { readonly [Name in keyof T]: Frozen<T[Name]> };

/** Whether a value is what a schema describes. Members that `v.object` does not name may stand beside those it does. */
export function is<Schema extends v.GenericSchema>(schema: Schema, value: unknown): value is Shape<Schema> {
  return v.is(schema, value);
}

/** What a schema makes of a JSON text; undefined where it is another value, or no JSON. */
export function parseAs<Schema extends v.GenericSchema>(
  schema: Schema,
  text: string,
): v.InferOutput<Schema> | undefined {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  return read.success ? read.output : undefined;
}

/** A JSON object: an array is none, for which `v.object` and `v.record` would take it. */
export const members = v.pipe(
  v.unknown(),
  v.check((value) => !Array.isArray(value)),
  v.looseObject({}),
);
