/**
 * core/fhirpath evaluates FHIRPath (N1) on R4 records: with fhirpath.js, and within what it may do here. Called from
 * threads that can be ended, as an expression may run for ever. Invariant: nothing is fetched, and no value that the engine
 * makes is written without being looked at.
 */
import fhirpath from 'fhirpath';
import r4 from 'fhirpath/fhir-context/r4';

/** What the engine may do: nothing that waits for a network, and nothing that writes a record's values elsewhere. */
export const options = { async: false, resolveInternalTypes: false, traceFn: () => undefined } as const;

export const model = r4;

/** Where and why an expression cannot be parsed, in a sentence; undefined where it can. */
export function faultOf(expression: string): string | undefined {
  const error = parseErrorOf(expression);
  if (error === undefined) return undefined;
  const [, line, column, message] = /^line: (\d+); column: (\d+); message: (.*)/.exec(messageOf(error)) ?? [];
  // The parser's own fault tells no place: it is where the beginning of the expression first leads to it.
  if (message === undefined) return sentence(unread, 1, crashColumn(expression));
  return sentence(saidPlainly(message), Number(line), Number(column) + 1);
}

/** Why an expression cannot be evaluated, as the engine says it, without a full stop. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\.$/, '');
}

const unread = 'The expression cannot be read';

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

function crashColumn(expression: string): number {
  for (let length = 1; length < expression.length; length += 1) {
    const error = parseErrorOf(expression.slice(0, length));
    if (error !== undefined && !messageOf(error).startsWith('line: ')) return length;
  }
  return Math.max(1, expression.length);
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
