/** Reads what someone has written, by schemas whose messages are sentences for them. */
import * as v from 'valibot';
import { expressionAt } from '../fhir/expression.ts';
import type { Problem } from '../fhir/outcome.ts';

/** The value as the schema makes it, or one problem for each fault. */
export type Check<T> = { readonly value: T } | { readonly problems: readonly Problem[] };

export function check<Schema extends v.GenericSchema>(
  schema: Schema,
  written: unknown,
): Check<v.InferOutput<Schema>> {
  const read = v.safeParse(schema, written, { abortPipeEarly: true });
  return read.success ? { value: read.output } : { problems: read.issues.map(problemOf) };
}

/** An unknown member's problem names what holds it: its own name is the writer's, and not repeated. */
function problemOf({ message, path, expected }: v.BaseIssue<unknown>): Problem {
  const tokens = path?.map(({ key }) => String(key)) ?? [];
  const expression = expressionAt('', expected === 'never' ? tokens.slice(0, -1) : tokens).slice(1);
  return expression === '' ? { text: message } : { text: message, expression };
}

/** One line of text: without control characters, and without white space at its ends. */
export function line(most: number, message: string) {
  return v.pipe(v.string(message), v.maxLength(most, message), v.regex(/^(?!\s)\P{C}+(?<!\s)$/u, message));
}
