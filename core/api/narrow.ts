import type { GenericSchema } from 'valibot';
import { is, type Shape } from '../json/shape.ts';
import { UnknownForm } from './failure.ts';

/**
 * An answer's value, where it is what was asked for.
 *
 * @throws UnknownForm where the schema does not know it.
 */
export function narrow<Schema extends GenericSchema>(value: unknown, schema: Schema): Shape<Schema> {
  if (is(schema, value)) return value;
  throw new UnknownForm();
}
