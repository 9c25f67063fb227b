import type { Request, Response } from 'express';
import * as v from 'valibot';
import { allows } from '../../core/app/scopes.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { definitionOf, resourceTypes } from '../../core/fhir/resource.ts';
import { readJson } from '../../core/fhir/record.ts';
import { locationOf } from '../../core/fhir/search-values.ts';
import { print } from '../../core/json/print.ts';
import { is } from '../../core/json/shape.ts';
import { indented, pieces } from '../fhir/bundle-text.ts';
import { doHere } from '../fhir/jobs.ts';
import type { RecordService } from '../fhir/service.ts';
import { principalOf } from './access.ts';
import { beginStream } from './reply.ts';
import { bodyText, idOf, pairsOf, typeOf } from './request.ts';
import { shapingOf } from './shaping.ts';

const Parameters = v.object({
  resourceType: v.literal('Parameters'),
  parameter: v.optional(v.array(v.object({ name: v.string() }))),
});

/** The types whose records are heads of documents. */
const offered = resourceTypes.filter((type) => definitionOf(type).document !== undefined);

/** Row 93: `$document`. */
export function documentAnswers(service: RecordService, base: () => string) {
  const document = async (request: Request, response: Response): Promise<void> => {
    const type = typeOf(request);
    if (!offered.includes(type)) {
      throw new FhirError('unknown-path', {
        text: `The operation $document is not offered for a ${type}; it is for a ${offered.join(' or ')}.`,
      });
    }
    for (const [name] of pairsOf(request)) refuse(name);
    const { pretty } = shapingOf(request);
    for (const name of parametersOf(request)) refuse(name, 'This parameter is not known here.');
    const { scopes } = principalOf(response);
    const mayRead = (one: string) => allows(scopes, one, 'r');
    const bundle = await service.document({ type, id: idOf(request), base: base(), mayRead });
    beginStream(response, 200, {
      pieces: pretty ? indented(bundle, doHere) : pieces(bundle),
      largest: undefined,
    });
  };
  return { document, 'document-post': document };
}

/** Refuses what cannot be asked of a document; every other parameter with `otherwise`. */
function refuse(name: string, otherwise?: string): void {
  const texts: Readonly<Record<string, string>> = {
    persist: 'A document is answered and not stored; leave persist out.',
    graph: 'A document holds what the record itself refers to; leave graph out.',
    _summary: 'A document is answered whole; leave _summary out.',
    _elements: 'A document is answered whole; leave _elements out.',
  };
  const text = texts[name] ?? otherwise;
  if (text !== undefined) throw new FhirError('not-accepted', { text, location: locationOf(name) });
}

/** The names of the parameters that stand in the body. */
function parametersOf(request: Request): readonly string[] {
  if (bodyText(request) === '') return [];
  const body: unknown = JSON.parse(print(readJson(bodyText(request), 'Parameters')));
  if (!is(Parameters, body)) {
    throw new FhirError('value', { text: 'Send Parameters in the body, or leave it out.' });
  }
  return (body.parameter ?? []).map(({ name }) => name);
}
