import { definitionOf, resourceTypes, type ResourceType } from '../fhir/resource.ts';
import { namingSubject } from '../fhir/search.ts';
import { fhirPath, routes, type Operation } from './contract.ts';
import { includeName, includesOf, searchParametersOf } from '../fhir/search-parameters.ts';

export interface CapabilityOptions {
  readonly version: string;
  /** Absolute URL of the server without a trailing slash. */
  readonly base: string;
  /** When the program was started: an instant. */
  readonly date: string;
  /** Whether a search must name whom it is about, where the type may ask that. */
  readonly requireSubject?: boolean;
  /** Whether pages of other origins may call. */
  readonly cors?: boolean;
}

/** FHIR R4 valueset-type-restful-interaction.html, for the operations of the contract that are interactions. */
const interactions: Readonly<Partial<Record<Operation, string>>> = {
  read: 'read',
  vread: 'vread',
  update: 'update',
  patch: 'patch',
  'history-instance': 'history-instance',
  'history-type': 'history-type',
  create: 'create',
  search: 'search-type',
};

/** The CapabilityStatement (FHIR R4 capabilitystatement.html), made from the contract's tables. */
export function capabilityStatement({
  version,
  base,
  date,
  requireSubject = false,
  cors = false,
}: CapabilityOptions): Record<string, unknown> {
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    date,
    kind: 'instance',
    software: { name: 'Chartkeeper', version },
    implementation: { description: 'Chartkeeper record server', url: base + fhirPath },
    fhirVersion: '4.0.1',
    format: ['json', 'application/fhir+json'],
    patchFormat: ['application/json-patch+json'],
    rest: [
      {
        mode: 'server',
        documentation: 'Patches hold replace operations alone. Numbers keep their digits.',
        security: {
          cors,
          service: [
            {
              coding: [
                {
                  system: 'http://terminology.hl7.org/CodeSystem/restful-security-service',
                  code: 'SMART-on-FHIR',
                },
              ],
              text: 'Bearer token; client credentials at the token endpoint',
            },
          ],
          extension: [
            {
              url: 'http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris',
              extension: [{ url: 'token', valueUri: `${base}/oauth2/token` }],
            },
          ],
        },
        resource: resourceTypes.map((type) =>
          resource(type, requireSubject && definitionOf(type).needsSubject === true),
        ),
      },
    ],
  };
}

/** The parameters of which a search needs one (the extension of hl7.org/fhir that says so), as far as it needs any. */
function needed() {
  const url = 'http://hl7.org/fhir/StructureDefinition/capabilitystatement-search-parameter-combination';
  return namingSubject.map((name) => ({ url, extension: [{ url: 'required', valueString: name }] }));
}

function resource(type: ResourceType, needsSubject: boolean): Record<string, unknown> {
  const { document } = definitionOf(type);
  const includes = includesOf[type].map((one) => includeName(type, one));
  return {
    ...(needsSubject && { extension: needed() }),
    type,
    interaction: routes.flatMap(({ operation, text }) => {
      const code = interactions[operation];
      return code === undefined ? [] : [{ code, documentation: text }];
    }),
    versioning: 'versioned-update',
    readHistory: true,
    updateCreate: false,
    conditionalCreate: true,
    conditionalRead: 'full-support',
    conditionalUpdate: false,
    conditionalDelete: 'not-supported',
    referencePolicy: ['literal', 'logical'],
    ...(includes.length > 0 && { searchInclude: includes, searchRevInclude: includes }),
    searchParam: searchParametersOf(type).map((parameter) => ({
      name: parameter.name,
      definition: parameter.url,
      type: parameter.type,
      documentation: parameter.text,
    })),
    operation: [
      { name: 'validate', definition: 'http://hl7.org/fhir/OperationDefinition/Resource-validate' },
      ...(document === undefined ? [] : [{ name: 'document', definition: document }]),
    ],
  };
}
