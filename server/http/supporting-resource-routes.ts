import { fhirPath } from '../../core/api/contract.ts';
import type {
  SupportingResourceList,
  SupportingResourcesRemoved,
} from '../../core/app/supporting-resources.ts';
import { lineType } from '../../core/app/transfer.ts';
import type { NamedResource, SupportingResource } from '../../core/fhir/supporting-resource.ts';
import { formatAddressedLine, type BodyPart } from '../../core/fhir/bundle.ts';
import { addressInSource } from '../../core/fhir/origin.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { isR4Type } from '../../core/fhir/r4-names.ts';
import { parseReference } from '../../core/fhir/reference.ts';
import { defineMessages } from '../../core/text/message.ts';
import { addressOf, type SourcedName } from '../store/supporting-resources.ts';
import type { SharedStore } from '../store/store.ts';
import { createJsonHandler, respondBytes, respondFile } from './reply.ts';
import { type ApiRequest, type ApiResponse, assertFound, type Handler } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { createExclusionOutcome, takeAddressOption } from './transfer-routes.ts';
import { noSuchSupportingResource } from '../fhir/service-errors.ts';

const messages = defineMessages('companion', {
  invalidReference: 'Send exactly one reference, and the record that contains it if you know it.',
  referenceAbsent: 'Nothing stored here has this reference.',
  ambiguous: 'Several imports have different resources with this name. Name the source.',
  ambiguousReference: 'Several imports have different resources with this reference. None is shown.',
  invalidSource: 'Send at most one source.',
  invalidType: 'type must be a FHIR R4 resource type.',
  unknownType: 'Not a FHIR R4 resource type.',
});

/** Supporting resources per page. Other requests run between two pages. */
const exportPage = 200;

/** `/app/companions`: lists, reads, exports and removes supporting resources. */
export function createSupportingResourceRoutes(
  { supportingResources }: Pick<SharedStore, 'supportingResources'>,
  base: () => string,
): readonly TableRoute[] {
  const list = createJsonHandler(
    async () => ({ types: await supportingResources.countByType() }) satisfies SupportingResourceList,
  );
  const readResource: Handler = async (request) => {
    const type = getR4Type(request);
    const [[name, source] = ['source'], ...furtherParameters] = request.query;
    if (name !== 'source' || furtherParameters.length > 0)
      throw new FhirError('value', { ...messages.invalidSource(), location: 'http.source' });
    const resource = await supportingResources.read({ type, id: request.id, source });
    if (!resource) throw noSuchSupportingResource(type);
    if (resource === 'ambiguous') throw new FhirError('not-found', messages.ambiguous());
    return respondResource(resource);
  };
  const resolve: Handler = async (request) => {
    const [[name, reference] = ['', ''], [recordParameter, recordName] = ['record'], ...furtherParameters] =
      request.query;
    if (
      name !== 'reference' ||
      recordParameter !== 'record' ||
      reference === '' ||
      furtherParameters.length > 0
    )
      throw new FhirError('value', { ...messages.invalidReference(), location: 'http.reference' });
    const context = { ownAddress: base() + fhirPath, record: parseRecordName(recordName) };
    const match = await supportingResources.resolve(reference, context);
    if (match === 'ambiguous') throw new FhirError('not-found', messages.ambiguousReference());
    const resource = assertFound(match, messages.referenceAbsent());
    request.notes.audited = addressOf(resource);
    return respondResource(resource);
  };
  const exportResources: Handler = (request) => {
    const { hasAddresses, pairs } = takeAddressOption(request.query);
    const requestedTypes = pairs.map(([, type]) => type);
    if (pairs.some(([name, type]) => name !== 'type' || !isR4Type(type)))
      throw new FhirError('value', { ...messages.invalidType(), location: 'http.type' });
    return respondFile(lineType, 'companions.ndjson', { pieces: linesOf(requestedTypes, hasAddresses) });
  };
  const listNames = (type: string, after?: SourcedName) =>
    supportingResources.listNames(type, after, exportPage);
  async function* linesOf(
    requestedTypes: readonly string[],
    hasAddresses: boolean,
  ): AsyncGenerator<BodyPart> {
    const damageErrors: FhirError[] = [];
    const types = (await supportingResources.countByType()).map(({ type }) => type);
    for (const type of types.filter((type) => requestedTypes.length === 0 || requestedTypes.includes(type))) {
      for (let names = await listNames(type); names.length > 0; names = await listNames(type, names.at(-1))) {
        for (const name of names) {
          try {
            const resource = await supportingResources.read(name);
            if (typeof resource !== 'object') continue;
            const { text, source, fullUrl } = resource;
            const address = addressInSource(source, name, fullUrl);
            yield hasAddresses ? formatAddressedLine(address, text) : `${text}\n`;
          } catch (error) {
            if (!(error instanceof FhirError)) throw error;
            damageErrors.push(error);
          }
        }
      }
    }
    if (damageErrors.length > 0)
      yield `${JSON.stringify(createExclusionOutcome(damageErrors, 'damagedCompanions'))}\n`;
  }
  const remove = createJsonHandler(async (request) => {
    const type = request.params.type === undefined ? undefined : getR4Type(request);
    const { actor } = request;
    const removedCount = await supportingResources.remove(type, actor);
    request.notes.isAudited = true;
    return { removed: removedCount } satisfies SupportingResourcesRemoved;
  });
  return [
    { method: 'GET', path: '/app/companions', handler: list },
    { method: 'DELETE', path: '/app/companions', audit: 'delete', handler: remove },
    { method: 'GET', path: '/app/companions/resolve', audit: 'read', handler: resolve },
    { method: 'GET', path: '/app/companions/export', audit: 'search', handler: exportResources },
    { method: 'DELETE', path: '/app/companions/:type', audit: 'delete', handler: remove },
    { method: 'GET', path: '/app/companions/:type/:id', audit: 'read', handler: readResource },
  ];
}

/**
 * Returns the type of the address.
 *
 * @throws FhirError `not-found` if the address names no resource type.
 */
function getR4Type(request: ApiRequest): string {
  const { type } = request.params;
  if (typeof type === 'string' && isR4Type(type)) return type;
  throw new FhirError('not-found', messages.unknownType());
}

/** Returns the name of a record (`CarePlan/17`); undefined for another text. */
export function parseRecordName(text: string | undefined): NamedResource | undefined {
  const { type, id, base } = parseReference(text ?? '') ?? {};
  return type !== undefined && id !== undefined && base === undefined ? { type, id } : undefined;
}

function respondResource(resource: SupportingResource): ApiResponse {
  return respondBytes(Buffer.from(resource.text), { 'Content-Location': addressOf(resource) });
}
