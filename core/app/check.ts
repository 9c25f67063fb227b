/** Validates input of users by schemas whose messages are sentences for users. */
import * as v from 'valibot';
import { expressionAt } from '../fhir/validation/finding.ts';
import type { Problem } from '../fhir/outcome.ts';
import { defineMessages, type Message } from '../text/message.ts';

/** The parsed value, or one problem for each error. */
export type Check<T> = { readonly value: T } | { readonly problems: readonly Problem[] };

export function check<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
): Check<v.InferOutput<Schema>> {
  const result = v.safeParse(schema, input, { abortPipeEarly: true });
  return result.success ? { value: result.output } : { problems: result.issues.map(problemOf) };
}

const messages = defineMessages('value', { invalid: 'Not a valid value.' });

/** Messages of schemas by their text: a schema can only have the text. */
const codedMessages = new Map<string, Message>();

/** Returns the text of a message for a schema. Problems with this text have the message's code and parameters. */
export function codedText(message: Message): string {
  codedMessages.set(message.text, message);
  return message.text;
}

/**
 * Returns a problem of an issue. For an unknown member it names the object: the member's name is input and is
 * not repeated.
 */
function problemOf({ message, path, expected }: v.BaseIssue<unknown>): Problem {
  const tokens = path?.map(({ key }) => String(key)) ?? [];
  const expression = expressionAt('', expected === 'never' ? tokens.slice(0, -1) : tokens).slice(1);
  const codedMessage = codedMessages.get(message) ?? { ...messages.invalid(), text: message };
  return expression === '' ? codedMessage : { ...codedMessage, expression };
}

/** Returns a schema for one line of text, without control characters and without white space at its ends. */
export function line(maxLength: number, message: string) {
  return v.pipe(
    v.string(message),
    v.maxLength(maxLength, message),
    v.regex(/^(?!\s)\P{C}+(?<!\s)$/u, message),
  );
}
