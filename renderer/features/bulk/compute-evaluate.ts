import fhirpath from 'fhirpath';
import r4 from 'fhirpath/fhir-context/r4';
import type { Computed, ComputeQuestion } from '../../../core/app/bulk-computed.ts';
import { text } from '../../ui/text.ts';

const words = text.bulk.compute;

/** What the engine may do: nothing that waits for a network, and nothing that writes a record's values elsewhere. */
const options = { async: false, resolveInternalTypes: false, traceFn: () => undefined } as const;

/** What an expression makes of each of a record's elements. */
export function evaluateAt({ expression, record, places }: ComputeQuestion): readonly Computed[] {
  const resource: unknown = JSON.parse(record);
  return places.map(({ pointer, base }) => {
    try {
      const element = elementAt(resource, pointer);
      return taken(fhirpath.evaluate(element, { base, expression }, { resource }, r4, options));
    } catch (error) {
      return { cannot: words.failed(messageOf(error)) };
    }
  });
}

/**
 * A result as it may be written. A number never is: the engine's own digits are not the record's. Dates and times come
 * as they are written.
 */
function taken(results: readonly unknown[]): Computed {
  if (results.length === 0) return { cannot: words.nothing };
  if (results.length > 1) return { cannot: words.several(results.length) };
  const [type = ''] = fhirpath.types(results);
  const [value] = fhirpath.resolveInternalTypes(results) as readonly unknown[];
  if (typeof value === 'boolean') return { value };
  if (typeof value === 'string' && !type.endsWith('.Quantity')) {
    return value === '' ? { cannot: words.empty } : { value };
  }
  return { cannot: typeof value === 'number' || isNumber(type) ? words.number : words.object };
}

function isNumber(type: string): boolean {
  return /\.(decimal|integer|long|positiveInt|unsignedInt)$/i.test(type);
}

/** Where and why an expression cannot be parsed; undefined where it can. */
export function faultOf(expression: string): string | undefined {
  const error = parseErrorOf(expression);
  if (error === undefined) return undefined;
  const [, line = '1', column = '', message = ''] =
    /^line: (\d+); column: (\d+); message: (.*)/.exec(messageOf(error)) ?? [];
  // The parser's own fault tells no place: it is where the beginning of the expression first leads to it.
  if (column === '') return words.fault(words.unread, 1, crashColumn(expression));
  return words.fault(saidPlainly(message), Number(line), Number(column) + 1);
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
  [/^(?:mismatched|extraneous) input '<EOF>'/, () => words.ends],
  [/^missing (.+) at /, (found) => words.missing(found)],
  [/^(?:mismatched|extraneous) input (.+?) expecting/, (found) => words.unexpected(found)],
  [/^token recognition error at: (.+)/, (found) => words.unexpected(found)],
  [/^no viable alternative at input (.+)/, (found) => words.unexpected(found)],
];

function saidPlainly(message: string): string {
  for (const [said, plain] of plainly) {
    const match = said.exec(message);
    if (match) return plain(match[1] ?? '');
  }
  return words.unread;
}

function elementAt(resource: unknown, pointer: string): unknown {
  const tokens = pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  return tokens.reduce<unknown>(
    (node, token) => (node as Readonly<Record<string, unknown>> | undefined)?.[token],
    resource,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
