import type { Request } from 'express';
import { parsePrefer } from '../../core/api/prefer.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { resultParametersOf } from '../../core/fhir/search-parameters.ts';
import { readProjection } from '../../core/fhir/search-results.ts';
import { locationOf } from '../../core/fhir/search-values.ts';
import { formatList } from '../../core/text/language.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { Shape } from '../fhir/service.ts';
import { getQueryPairs, getResourceType } from './request.ts';

const messages = defineMessages('parameter', {
  unknown: 'Unknown parameter. Supported: {names}.',
  empty: 'The parameter {name} has no value.',
  repeated: 'The parameter {name} can be sent only once.',
  invalid: 'The parameter {name} must be one of {values}.',
});

const plain: Shape = { pretty: false };

const knownNames = resultParametersOf('read').map(({ name }) => name);

/** `count` is supported by searches only. */
const summaries = ['true', 'text', 'data', 'false'];
const allowedValues: ReadonlyMap<string, readonly string[]> = new Map([
  ['_summary', summaries],
  ['_pretty', ['true', 'false']],
]);

/**
 * Reads the parameters that shape a response. Others are rejected, or ignored with `Prefer:
 * handling=lenient`.
 *
 * @param operationParameters - Parameters of the operation itself.
 * @throws FhirError `not-accepted` for an unknown parameter, `value` for an invalid value.
 */
export function readShaping(request: Request, operationParameters: readonly string[] = []): Shape {
  const pairs = getQueryPairs(request).filter(([name]) => !operationParameters.includes(name));
  if (pairs.length === 0) return plain;
  const isLenient = parsePrefer(request.get('Prefer')).handling === 'lenient';
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (!knownNames.includes(name)) {
      if (isLenient) continue;
      throw new FhirError('not-accepted', {
        ...messages.unknown({ names: formatList(knownNames, 'unit') }),
        location: locationOf(name),
      });
    }
    if (value.trim() === '') throw createValueError(name, messages.empty({ name }));
    if (values.has(name)) throw createValueError(name, messages.repeated({ name }));
    const supportedValues = allowedValues.get(name);
    if (supportedValues && !supportedValues.includes(value)) {
      throw createValueError(
        name,
        messages.invalid({ name, values: formatList(supportedValues, 'disjunction') }),
      );
    }
    values.set(name, value);
  }
  const projection = readProjection(getResourceType(request), values);
  return { ...(projection && { projection }), pretty: values.get('_pretty') === 'true' };
}

function createValueError(name: string, message: Message): FhirError {
  return new FhirError('value', { ...message, location: locationOf(name) });
}
