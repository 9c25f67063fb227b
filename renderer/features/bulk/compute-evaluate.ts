import fhirpath from 'fhirpath';
import type { Computed, ComputeQuestion } from '../../../core/app/bulk-computed.ts';
import { compile, messageOf } from '../../../core/fhirpath/engine.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import { text } from '../../ui/text.ts';

const messages = text.bulk.compute;

/** Evaluates an expression on elements of a record. */
export function evaluateAt({ expression, record, places }: ComputeQuestion): readonly Computed[] {
  const resource: unknown = JSON.parse(record);
  return places.map(({ pointer, base }) => {
    try {
      const element = elementAt(resource, pointer);
      return toComputed(compile(expression, base)(element, { resource }) as readonly unknown[]);
    } catch (error) {
      return { cannot: messages.failed(messageOf(error)) };
    }
  });
}

/**
 * Converts a result to a value that may be written. Numbers are rejected: the engine reformats their digits. Dates
 * and times keep their text.
 */
function toComputed(results: readonly unknown[]): Computed {
  if (results.length === 0) return { cannot: messages.nothing };
  if (results.length > 1) return { cannot: messages.several(results.length) };
  const [type = ''] = fhirpath.types(results);
  const [value] = fhirpath.resolveInternalTypes(results) as readonly unknown[];
  if (typeof value === 'boolean') return { value };
  if (typeof value === 'string' && !type.endsWith('.Quantity')) {
    return value === '' ? { cannot: messages.empty } : { value };
  }
  return { cannot: typeof value === 'number' || isNumber(type) ? messages.number : messages.object };
}

function isNumber(type: string): boolean {
  return /\.(decimal|integer|long|positiveInt|unsignedInt)$/i.test(type);
}

function elementAt(resource: unknown, pointer: string): unknown {
  const tokens = parsePointer(pointer) ?? [];
  return tokens.reduce<unknown>(
    (node, token) => (node as Readonly<Record<string, unknown>> | undefined)?.[token],
    resource,
  );
}
