import { definitionOf, resourceTypes, type ResourceType } from '../fhir/resource.ts';
import { namingSubject } from '../fhir/search.ts';
import { fhirPath, routes, type Operation } from './contract.ts';
import { includeName, includesOf, searchParametersOf } from '../fhir/search-parameters.ts';

export interface CapabilityOptions {
  readonly version: string;
  /** Absolute URL of the server without a trailing slash. */
  readonly base: string;
  /** Instant of the program's start. */
  readonly date: string;
  /** True if searches must name a subject, for types that support this. */
  readonly requireSubject?: boolean;
  /** True if pages of other origins may call. */
  readonly cors?: boolean;
}

/** Codes of FHIR R4 valueset-type-restful-interaction.html by operation. */
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

/**
 * Returns the CapabilityStatement (FHIR R4 capabilitystatement.html), built from the tables of the contract.
 */
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
        documentation: 'Patches support replace operations only. Numbers keep their digits.',
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
          describeType(type, requireSubject && definitionOf(type).needsSubject === true),
        ),
      },
    ],
  };
}

/** Returns the extensions for parameters of which a search must have one. */
function requiredParameters() {
  const url = 'http://hl7.org/fhir/StructureDefinition/capabilitystatement-search-parameter-combination';
  return namingSubject.map((name) => ({ url, extension: [{ url: 'required', valueString: name }] }));
}

function describeType(type: ResourceType, needsSubject: boolean): Record<string, unknown> {
  const { document } = definitionOf(type);
  const includes = includesOf[type].map((include) => includeName(type, include));
  return {
    ...(needsSubject && { extension: requiredParameters() }),
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
