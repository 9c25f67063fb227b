/** Reads what someone has written, by schemas whose messages are sentences for them. */
import * as v from 'valibot';
import { expressionAt } from '../fhir/expression.ts';
import type { Problem } from '../fhir/outcome.ts';
import { defineMessages, type Message } from '../text/message.ts';

/** The value as the schema makes it, or one problem for each fault. */
export type Check<T> = { readonly value: T } | { readonly problems: readonly Problem[] };

export function check<Schema extends v.GenericSchema>(
  schema: Schema,
  written: unknown,
): Check<v.InferOutput<Schema>> {
  const read = v.safeParse(schema, written, { abortPipeEarly: true });
  return read.success ? { value: read.output } : { problems: read.issues.map(problemOf) };
}

const messages = defineMessages('value', { invalid: 'Not a valid value.' });

/** Messages of schemas by their text: a schema can only have the text. */
const codedMessages = new Map<string, Message>();

/** Returns the text of a message for a schema. Problems with this text have the message's code and parameters. */
export function codedText(message: Message): string {
  codedMessages.set(message.text, message);
  return message.text;
}

/** An unknown member's problem names what holds it: its own name is the writer's, and not repeated. */
function problemOf({ message, path, expected }: v.BaseIssue<unknown>): Problem {
  const tokens = path?.map(({ key }) => String(key)) ?? [];
  const expression = expressionAt('', expected === 'never' ? tokens.slice(0, -1) : tokens).slice(1);
  const sentence = codedMessages.get(message) ?? { ...messages.invalid(), text: message };
  return expression === '' ? sentence : { ...sentence, expression };
}

/** One line of text: without control characters, and without white space at its ends. */
export function line(most: number, message: string) {
  return v.pipe(v.string(message), v.maxLength(most, message), v.regex(/^(?!\s)\P{C}+(?<!\s)$/u, message));
}
