import type { Request } from 'express';
import { parsePrefer } from '../../core/api/prefer.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { resultParametersOf } from '../../core/fhir/search-parameters.ts';
import { readProjection } from '../../core/fhir/search-results.ts';
import { badValue, locationOf } from '../../core/fhir/search-values.ts';
import type { Shape } from '../fhir/service.ts';
import { pairsOf, typeOf } from './request.ts';

const plain: Shape = { pretty: false };

const known = resultParametersOf('read').map(({ name }) => name);

/** `count` is the answer of a search alone. */
const parts = ['true', 'text', 'data', 'false'];
const takes: ReadonlyMap<string, readonly string[]> = new Map([
  ['_summary', parts],
  ['_pretty', ['true', 'false']],
]);

/**
 * A read or a write takes what shapes its answer and nothing else; with `Prefer: handling=lenient` the rest is left out.
 * `others` are taken by the operation itself.
 *
 * @throws FhirError `not-accepted` for a parameter that is not known, `value` for an unusable value.
 */
export function shapingOf(request: Request, others: readonly string[] = []): Shape {
  const pairs = pairsOf(request).filter(([name]) => !others.includes(name));
  if (pairs.length === 0) return plain;
  const lenient = parsePrefer(request.get('Prefer')).handling === 'lenient';
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (!known.includes(name)) {
      if (lenient) continue;
      throw new FhirError('not-accepted', {
        text: `This parameter is not known here; ${known.join(', ')} are.`,
        location: locationOf(name),
      });
    }
    if (value.trim() === '') throw badValue(name, 'has no value');
    if (values.has(name)) throw badValue(name, 'may be sent once');
    const taken = takes.get(name);
    if (taken && !taken.includes(value)) throw badValue(name, `takes ${taken.join(', ')}`);
    values.set(name, value);
  }
  const projection = readProjection(typeOf(request), values);
  return { ...(projection && { projection }), pretty: values.get('_pretty') === 'true' };
}
