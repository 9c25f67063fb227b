import { UnknownForm } from './failure.ts';

/**
 * An answer's value, where it is what was asked for.
 *
 * @throws UnknownForm where the guard does not know it.
 */
export function narrow<T>(value: unknown, guard: (value: unknown) => value is T): T {
  if (guard(value)) return value;
  throw new UnknownForm();
}
