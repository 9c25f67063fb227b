/** The value, where it is what was asked for; throws a sentence for the page where it is something else. */
export function narrow<T>(value: unknown, guard: (value: unknown) => value is T): T {
  if (guard(value)) return value;
  throw new TypeError('The server answered in a form that this page does not know.');
}
