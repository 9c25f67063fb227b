import * as v from 'valibot';
import { allows } from '../../core/app/scopes.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { definitionOf, resourceTypes } from '../../core/fhir/resource.ts';
import { readJson } from '../../core/fhir/record.ts';
import { locationOf } from '../../core/fhir/search-values.ts';
import { serializeNode } from '../../core/json/node.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { formatList } from '../../core/text/language.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import { indented, pieces } from '../fhir/bundle-text.ts';
import { doHere } from '../fhir/drafts.ts';
import type { RecordService } from '../fhir/service.ts';
import { respondStream } from './reply.ts';
import { type ApiRequest, type ApiResponse } from './request.ts';
import { readShaping } from './fhir-routes.ts';

const messages = defineMessages('document', {
  unsupportedType: '$document is not supported for {type}, only for {types}.',
  unknownParameter: 'Unknown parameter.',
  persist: 'Documents aren’t stored. Leave out persist.',
  graph: 'A document contains only what the record itself references. Leave out graph.',
  summary: 'Documents are always complete. Leave out _summary.',
  elements: 'Documents are always complete. Leave out _elements.',
  invalidBody: 'Send Parameters in the body, or no body.',
});

/** R4 parameters and parameters of this server that `$document` does not support. */
const unsupported: ReadonlyMap<string, () => Message> = new Map([
  ['persist', messages.persist],
  ['graph', messages.graph],
  ['_summary', messages.summary],
  ['_elements', messages.elements],
]);

const Parameters = v.object({
  resourceType: v.literal('Parameters'),
  parameter: v.optional(v.array(v.object({ name: v.string() }))),
});

const documentTypes = resourceTypes.filter((type) => definitionOf(type).document !== undefined);

/** Creates the handlers of `$document` (row 93). */
export function createDocumentHandlers(service: RecordService, base: () => string) {
  const document = async (request: ApiRequest): Promise<ApiResponse> => {
    const { type } = request;
    if (!documentTypes.includes(type)) {
      const types = formatList(documentTypes);
      throw new FhirError('unknown-path', messages.unsupportedType({ type, types }));
    }
    for (const [name] of request.query) rejectParameter(name);
    const { pretty } = readShaping(request);
    for (const name of listParameters(request)) rejectParameter(name, messages.unknownParameter);
    const { scopes } = request.principal;
    const canRead = (resourceType: string) => allows(scopes, resourceType, 'r');
    const bundle = await service.document({ type, id: request.id, base: base(), canRead });
    return respondStream({
      pieces: pretty ? indented(bundle, doHere) : pieces(bundle),
      largest: undefined,
    });
  };
  return { document, 'document-post': document };
}

/** Rejects an unsupported parameter. Other parameters are rejected with `otherwise` if it is given. */
function rejectParameter(name: string, otherwise?: () => Message): void {
  const message = unsupported.get(name) ?? otherwise;
  if (message) throw new FhirError('not-accepted', { ...message(), location: locationOf(name) });
}

/** Returns the names of the parameters in the body. */
function listParameters(request: ApiRequest): readonly string[] {
  const text = request.readText();
  if (text === '') return [];
  const body: unknown = JSON.parse(serializeNode(readJson(text, 'Parameters')));
  if (!matchesSchema(Parameters, body)) {
    throw new FhirError('value', messages.invalidBody());
  }
  return (body.parameter ?? []).map(({ name }) => name);
}
