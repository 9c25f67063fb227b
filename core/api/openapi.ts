import { faults } from '../fhir/outcome.ts';
import { resourceTypes, typeList } from '../fhir/resource.ts';
import { fhirPath, mediaType, routes, type Operation, type Route } from './contract.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { resultParametersOf, searchParameters } from '../fhir/search-parameters.ts';

const text = { type: 'string' } as const;

export interface OpenApiOptions {
  readonly version: string;
  /** Absolute URL of the server without a trailing slash. */
  readonly base: string;
  /** Schemas of request and response bodies, by name. */
  readonly schemas: Readonly<Record<string, unknown>>;
}

/** Returns the OpenAPI 3.1 document of the API, built from the tables of the contract. */
export function openApiDocument({ version, base, schemas }: OpenApiOptions): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = fhirPath + route.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = describeOperation(route);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Chartkeeper', version, description: `${typeList} records, FHIR R4.` },
    servers: [{ url: base }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        client: {
          type: 'oauth2',
          flows: { clientCredentials: { tokenUrl: `${base}/oauth2/token`, scopes: {} } },
        },
      },
      schemas: { ...schemas, CapabilityStatement: capabilitySchema },
    },
  };
}

const capabilitySchema = {
  type: 'object',
  required: ['resourceType', 'status', 'date', 'kind', 'fhirVersion', 'format', 'rest'],
  properties: { resourceType: { const: 'CapabilityStatement' } },
};

/** Response schemas by operation. The response of a write depends on Prefer. */
const responseSchemas: Readonly<Record<Operation, string | readonly string[]>> = {
  metadata: 'CapabilityStatement',
  search: 'Bundle',
  'search-post': 'Bundle',
  'history-type': 'Bundle',
  'history-instance': 'Bundle',
  validate: 'OperationOutcome',
  'validate-stored': 'OperationOutcome',
  'validate-instance': 'OperationOutcome',
  document: 'Bundle',
  'document-post': 'Bundle',
  read: 'Resource',
  vread: 'Resource',
  create: ['Resource', 'OperationOutcome'],
  update: ['Resource', 'OperationOutcome'],
  patch: ['Resource', 'OperationOutcome'],
};

function describeOperation(route: Route): Record<string, unknown> {
  const headers = headersOf(route);
  const content = contentOf(responseSchemas[route.operation]);
  return {
    operationId: route.operation,
    summary: route.text,
    ...(route.access === 'open' && { security: [] }),
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(route.consumes.length > 0 && {
      requestBody: { required: route.mayBeEmpty !== true, content: bodies(route) },
    }),
    responses: {
      [route.success]: { description: route.text, headers, content },
      ...(route.operation === 'create' && {
        200: { description: 'The record found by If-None-Exist. Nothing is created.', headers, content },
      }),
      ...(route.operation === 'read' && {
        304: { description: 'The client’s version is current.', headers },
      }),
      '4XX': { description: `Request refused: ${statuses(400)}.`, content: outcome },
      '5XX': { description: `Request failed: ${statuses(500)}.`, content: outcome },
    },
  };
}

/** Returns the statuses of a class that errors have. */
function statuses(firstStatus: number): string {
  const statusSet = new Set(Object.values(faults).map(({ status }) => status));
  return [...statusSet]
    .filter((status) => status >= firstStatus && status < firstStatus + 100)
    .sort((status, otherStatus) => status - otherStatus)
    .join(', ');
}

function contentOf(schema: string | readonly string[]): Record<string, unknown> {
  return { [mediaType]: { schema: typeof schema === 'string' ? ref(schema) : { anyOf: schema.map(ref) } } };
}

function ref(schema: string) {
  return { $ref: `#/components/schemas/${schema}` };
}

const outcome = contentOf('OperationOutcome');

function bodies({ consumes, operation: name }: Route): Record<string, unknown> {
  const schema =
    name === 'patch'
      ? {
          type: 'array',
          items: {
            type: 'object',
            required: ['op', 'path', 'value'],
            properties: { op: { const: 'replace' }, path: text },
          },
        }
      : ref('Resource');
  return Object.fromEntries(
    consumes.map((type) => [type, { schema: name === 'search-post' ? { type: 'object' } : schema }]),
  );
}

function parameter(
  place: 'path' | 'query' | 'header',
  name: string,
  description: string,
  schema: object = text,
) {
  return { name, in: place, required: place === 'path', description, schema };
}

function pathParameters({ path }: Route) {
  const described: Record<string, string> = { type: 'Resource type', id: 'Record ID', vid: 'Version' };
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) =>
    parameter('path', name, described[name] ?? name, name === 'type' ? { enum: resourceTypes } : text),
  );
}

function queryParameters({ operation: name }: Route) {
  const listedParameters =
    name === 'search'
      ? [...searchParameters, ...resultParametersOf('search')]
      : name.startsWith('history')
        ? resultParametersOf('history')
        : [];
  return listedParameters.map((listedParameter) =>
    parameter('query', listedParameter.name, listedParameter.text),
  );
}

function headerParameters({ operation: name }: Route) {
  return requestHeaders
    .filter(({ operations }) => operations.includes(name))
    .map((header) => parameter('header', header.name, header.text));
}

function headersOf({ operation: name }: Route): Record<string, unknown> {
  return Object.fromEntries(
    responseHeaders
      .filter(({ operations }) => operations.includes(name))
      .map((header) => [header.name, { description: header.text, schema: text }]),
  );
}
