/**
 * core/fhirpath evaluates FHIRPath (N1) on R4 records: with fhirpath.js, and within what it may do here. Called from
 * threads that can be ended, as an expression may run for ever. Invariant: nothing is fetched, no value that the engine
 * makes is written without being looked at, and no expression beyond {@link expressionLimits} is parsed.
 */
import fhirpath from 'fhirpath';
import r4 from 'fhirpath/fhir-context/r4';

/** What the engine may do: nothing that waits for a network, and nothing that writes a record's values elsewhere. */
export const options = { async: false, resolveInternalTypes: false, traceFn: () => undefined } as const;

export const model = r4;

/** The largest expression that is parsed, whoever wrote it: parsing costs more than its length does. */
export const expressionLimits = { characters: 10_000, brackets: 100 } as const;

/** Texts, names in quotes and comments, in which a bracket opens nothing, else a bracket. */
const bracketOrText =
  /'[^'\\]*(?:\\.[^'\\]*)*'?|"[^"\\]*(?:\\.[^"\\]*)*"?|`[^`\\]*(?:\\.[^`\\]*)*`?|\/\/[^\r\n]*|\/\*.*?(?:\*\/|$)|[()[\]{}]/gs;

/** Returns the limit that an expression exceeds, in words; undefined where it is within all. */
export function exceededLimit(expression: string): string | undefined {
  const { characters, brackets } = expressionLimits;
  if (expression.length > characters) return `at most ${characters.toLocaleString('en')} characters`;
  let depth = 0;
  for (const [token] of expression.matchAll(bracketOrText)) {
    if (token === '(' || token === '[' || token === '{') depth += 1;
    else if (token === ')' || token === ']' || token === '}') depth -= 1;
    if (depth > brackets) return `at most ${brackets} brackets within one another`;
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
  if (limit !== undefined) throw new Error(largerThan(limit));
  const parsed = base === undefined ? expression : { base, expression };
  return fhirpath.compile(parsed, model, options);
}

/** Returns where and why an expression cannot be parsed, in a sentence; undefined where it can. */
export function faultOf(expression: string): string | undefined {
  const limit = exceededLimit(expression);
  if (limit !== undefined) return largerThan(limit);
  const error = parseErrorOf(expression);
  if (error === undefined) return undefined;
  const [, line, column, message] = placedError.exec(messageOf(error)) ?? [];
  // The parser's own fault tells no place: it is where a beginning of the expression first leads to it.
  if (message === undefined) return crashSentence(expression);
  return sentence(saidPlainly(message), Number(line), Number(column) + 1);
}

/** Why an expression cannot be evaluated, as the engine says it, without a full stop. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\.$/, '');
}

const unread = 'The expression cannot be read';

const placedError = /^line: (\d+); column: (\d+); message: (.*)/;

function largerThan(limit: string): string {
  return `An expression has ${limit}.`;
}

function sentence(what: string, line: number, column: number): string {
  return `${what} at line ${line}, column ${column}.`;
}

function parseErrorOf(expression: string): unknown {
  try {
    fhirpath.parse(expression);
    return undefined;
  } catch (error) {
    return error;
  }
}

function crashSentence(expression: string): string {
  const lines = expression.slice(0, crashLength(expression)).split('\n');
  return sentence(unread, lines.length, Math.max(1, lines.at(-1)?.length ?? 1));
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

/** What the parser's generator says, in words; first match wins. */
const plainly: readonly (readonly [said: RegExp, plain: (found: string) => string])[] = [
  [/^(?:mismatched|extraneous) input '<EOF>'/, () => 'The expression is not complete'],
  [/^missing (.+) at /, (found) => `${found} is missing`],
  [/^(?:mismatched|extraneous) input (.+?) expecting/, (found) => `${found} is not expected`],
  [/^token recognition error at: (.+)/, (found) => `${found} is not expected`],
  [/^no viable alternative at input (.+)/, (found) => `${found} is not expected`],
];

function saidPlainly(message: string): string {
  for (const [said, plain] of plainly) {
    const match = said.exec(message);
    if (match) return plain(match[1] ?? '');
  }
  return unread;
}
