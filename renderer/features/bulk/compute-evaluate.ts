import fhirpath from 'fhirpath';
import type { Computed, ComputeQuestion } from '../../../core/app/bulk-computed.ts';
import { compile, messageOf } from '../../../core/fhirpath/engine.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import { text } from '../../ui/text.ts';

const words = text.bulk.compute;

/** What an expression makes of each of a record's elements. */
export function evaluateAt({ expression, record, places }: ComputeQuestion): readonly Computed[] {
  const resource: unknown = JSON.parse(record);
  return places.map(({ pointer, base }) => {
    try {
      const element = elementAt(resource, pointer);
      return taken(compile(expression, base)(element, { resource }) as readonly unknown[]);
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

function elementAt(resource: unknown, pointer: string): unknown {
  const tokens = parsePointer(pointer) ?? [];
  return tokens.reduce<unknown>(
    (node, token) => (node as Readonly<Record<string, unknown>> | undefined)?.[token],
    resource,
  );
}
