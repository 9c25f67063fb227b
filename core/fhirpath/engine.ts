/**
 * core/fhirpath evaluates FHIRPath (N1) on R4 records: with fhirpath.js, and within what it may do here. Called from
 * threads that can be ended, as an expression may run for ever. Invariant: nothing is fetched, no value that the engine
 * makes is written without being looked at, and no expression beyond {@link expressionLimits} is parsed.
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

/** Line and column, written without separators. */
interface Place {
  readonly line: string;
  readonly column: string;
}

/** What the engine may do: nothing that waits for a network, and nothing that writes a record's values elsewhere. */
export const options = { async: false, resolveInternalTypes: false, traceFn: () => undefined } as const;

export const model = r4;

/** The largest expression that is parsed, whoever wrote it: parsing costs more than its length does. */
export const expressionLimits = { characters: 10_000, brackets: 100 } as const;

/** Texts, names in quotes and comments, in which a bracket opens nothing, else a bracket. */
const bracketOrText =
  /'[^'\\]*(?:\\.[^'\\]*)*'?|"[^"\\]*(?:\\.[^"\\]*)*"?|`[^`\\]*(?:\\.[^`\\]*)*`?|\/\/[^\r\n]*|\/\*.*?(?:\*\/|$)|[()[\]{}]/gs;

/** Returns the limit that an expression exceeds; undefined if it is within all. */
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
 * Parses an expression, to be evaluated on values; `base` is the path or type of the element that it starts from.
 *
 * @throws Error where it cannot be parsed, or is larger than what is parsed.
 */
export function compile(expression: string, base?: string) {
  const limit = exceededLimit(expression);
  if (limit) throw new Error(messages[limit.exceeds]({ n: limit.n }).text);
  const parsed = base === undefined ? expression : { base, expression };
  return fhirpath.compile(parsed, model, options);
}

/** Returns why an expression cannot be parsed, with line and column; undefined if it can. */
export function faultOf(expression: string): Message | undefined {
  const limit = exceededLimit(expression);
  if (limit) return messages[limit.exceeds]({ n: limit.n });
  const error = parseErrorOf(expression);
  if (error === undefined) return undefined;
  const [, line, column, said] = placedError.exec(messageOf(error)) ?? [];
  // The parser's own fault tells no place: it is where a beginning of the expression first leads to it.
  if (said === undefined) return messages.invalid(crashPlace(expression));
  return explainParserError(said, { line: String(line), column: String(Number(column) + 1) });
}

/** Why an expression cannot be evaluated, as the engine says it, without a full stop. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\.$/, '');
}

const placedError = /^line: (\d+); column: (\d+); message: (.*)/;

function parseErrorOf(expression: string): unknown {
  try {
    fhirpath.parse(expression);
    return undefined;
  } catch (error) {
    return error;
  }
}

function crashPlace(expression: string): Place {
  const lines = expression.slice(0, crashLength(expression)).split('\n');
  return { line: String(lines.length), column: String(Math.max(1, lines.at(-1)?.length ?? 1)) };
}

/** Returns the length of a beginning that crashes the parser while the one shorter by a character does not, by halving. */
function crashLength(expression: string): number {
  let [length, crashing] = [0, expression.length];
  while (crashing - length > 1) {
    const middle = Math.floor((length + crashing) / 2);
    const error = parseErrorOf(expression.slice(0, middle));
    if (error === undefined || placedError.test(messageOf(error))) length = middle;
    else crashing = middle;
  }
  return crashing;
}

/** Sentences for errors of the generated parser. The first match wins. */
const parserErrors: readonly (readonly [said: RegExp, explain: (token: string, place: Place) => Message])[] =
  [
    [/^(?:mismatched|extraneous) input '<EOF>'/, (_token, place) => messages.incomplete(place)],
    [/^missing (.+) at /, (token, place) => messages.missing({ token, ...place })],
    [/^(?:mismatched|extraneous) input (.+?) expecting/, unexpected],
    [/^token recognition error at: (.+)/, unexpected],
    [/^no viable alternative at input (.+)/, unexpected],
  ];

function unexpected(token: string, place: Place): Message {
  return messages.unexpected({ token, ...place });
}

function explainParserError(said: string, place: Place): Message {
  for (const [pattern, explain] of parserErrors) {
    const match = pattern.exec(said);
    if (match) return explain(match[1] ?? '', place);
  }
  return messages.invalid(place);
}
