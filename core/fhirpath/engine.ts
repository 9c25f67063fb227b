/**
 * core/fhirpath evaluates FHIRPath (N1) on R4 records with fhirpath.js, within limits. Called from threads
 * that can be terminated, because an expression may never end. Invariant: the engine fetches nothing, its
 * output is never logged unchecked, and no expression beyond {@link expressionLimits} is parsed.
 */
import fhirpath from 'fhirpath';
import r4 from 'fhirpath/fhir-context/r4';
import { defineMessages, type Message } from '../text/message.ts';

const messages = defineMessages('fhirpath', {
  characters: 'An expression can have at most {n} characters.',
  brackets: 'An expression can have at most {n} nested brackets.',
  invalid: 'Not a valid expression (line {line}, column {column}).',
  incomplete: 'The expression is incomplete (line {line}, column {column}).',
  missing: '{token} is missing (line {line}, column {column}).',
  unexpected: 'Unexpected {token} (line {line}, column {column}).',
});

/** Line and column, formatted without separators. */
interface Position {
  readonly line: string;
  readonly column: string;
}

/** Restrictions of the engine: no asynchronous functions, no trace output with values of records. */
export const options = { async: false, resolveInternalTypes: false, traceFn: () => undefined } as const;

export const model = r4;

/** Maximum expression size. Parsing is more than linear. */
export const expressionLimits = { characters: 10_000, brackets: 100 } as const;

/**
 * Matches strings, quoted names and comments as a whole, because their brackets do not count. Otherwise a
 * bracket.
 */
const bracketOrText =
  /'[^'\\]*(?:\\.[^'\\]*)*'?|"[^"\\]*(?:\\.[^"\\]*)*"?|`[^`\\]*(?:\\.[^`\\]*)*`?|\/\/[^\r\n]*|\/\*.*?(?:\*\/|$)|[()[\]{}]/gs;

/** Returns the limit that an expression exceeds; undefined if it exceeds none. */
export function exceededLimit(
  expression: string,
): { readonly exceeds: keyof typeof expressionLimits; readonly n: number } | undefined {
  const { characters, brackets } = expressionLimits;
  if (expression.length > characters) return { exceeds: 'characters', n: characters };
  let depth = 0;
  for (const [token] of expression.matchAll(bracketOrText)) {
    if (token === '(' || token === '[' || token === '{') depth += 1;
    else if (token === ')' || token === ']' || token === '}') depth -= 1;
    if (depth > brackets) return { exceeds: 'brackets', n: brackets };
  }
  return undefined;
}

/**
 * Parses an expression.
 *
 * @param base - Path or type of the start element.
 * @throws Error if it is invalid or too large.
 */
export function compile(expression: string, base?: string) {
  const limit = exceededLimit(expression);
  if (limit) throw new Error(messages[limit.exceeds]({ n: limit.n }).text);
  const parsed = base === undefined ? expression : { base, expression };
  return fhirpath.compile(parsed, model, options);
}

/** Returns the error of an expression with line and column; undefined if it can be parsed. */
export function faultOf(expression: string): Message | undefined {
  const limit = exceededLimit(expression);
  if (limit) return messages[limit.exceeds]({ n: limit.n });
  const error = parseErrorOf(expression);
  if (error === undefined) return undefined;
  const [, line, column, parserMessage] = positionedError.exec(messageOf(error)) ?? [];
  // An internal error of the parser has no position. The shortest beginning that causes it locates it.
  if (parserMessage === undefined) return messages.invalid(findCrashPosition(expression));
  return explainParserError(parserMessage, { line: String(line), column: String(Number(column) + 1) });
}

/** Returns the engine's message without a full stop. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\.$/, '');
}

const positionedError = /^line: (\d+); column: (\d+); message: (.*)/;

function parseErrorOf(expression: string): unknown {
  try {
    fhirpath.parse(expression);
    return undefined;
  } catch (error) {
    return error;
  }
}

function findCrashPosition(expression: string): Position {
  const lines = expression.slice(0, crashLength(expression)).split('\n');
  return { line: String(lines.length), column: String(Math.max(1, lines.at(-1)?.length ?? 1)) };
}

/**
 * Returns the length of a beginning that crashes the parser while one character less does not. Searches by
 * halving.
 */
function crashLength(expression: string): number {
  let [length, crashing] = [0, expression.length];
  while (crashing - length > 1) {
    const middle = Math.floor((length + crashing) / 2);
    const error = parseErrorOf(expression.slice(0, middle));
    if (error === undefined || positionedError.test(messageOf(error))) length = middle;
    else crashing = middle;
  }
  return crashing;
}

/** Messages for errors of the generated parser. The first match wins. */
const parserErrors: readonly (readonly [
  said: RegExp,
  explain: (token: string, place: Position) => Message,
])[] = [
  [/^(?:mismatched|extraneous) input '<EOF>'/, (_token, position) => messages.incomplete(position)],
  [/^missing (.+) at /, (token, position) => messages.missing({ token, ...position })],
  [/^(?:mismatched|extraneous) input (.+?) expecting/, toUnexpectedToken],
  [/^token recognition error at: (.+)/, toUnexpectedToken],
  [/^no viable alternative at input (.+)/, toUnexpectedToken],
];

function toUnexpectedToken(token: string, position: Position): Message {
  return messages.unexpected({ token, ...position });
}

function explainParserError(parserMessage: string, position: Position): Message {
  for (const [pattern, explain] of parserErrors) {
    const match = pattern.exec(parserMessage);
    if (match) return explain(match[1] ?? '', position);
  }
  return messages.invalid(position);
}
