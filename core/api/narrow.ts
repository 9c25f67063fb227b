import type { GenericSchema } from 'valibot';
import { matchesSchema, type Shape } from '../json/shape.ts';
import { UnexpectedFormatError } from './failure.ts';

/**
 * Returns a response that matches the schema.
 *
 * @throws UnexpectedFormatError if it does not.
 */
export function narrow<Schema extends GenericSchema>(value: unknown, schema: Schema): Shape<Schema> {
  if (matchesSchema(schema, value)) return value;
  throw new UnexpectedFormatError();
}
