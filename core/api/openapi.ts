import { faults } from '../fhir/outcome.ts';
import { resourceTypes, typeList } from '../fhir/resource.ts';
import { fhirPath, mediaType, routes, type Route } from './contract.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { resultParametersOf, searchParameters } from '../fhir/search-parameters.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Record<string, unknown>;
}

const text = { type: 'string' } as const;

/** The OpenAPI 3.1 document of the API, made from the contract's tables. */
export function openApiDocument({
  version,
  base,
}: {
  version: string;
  base: string;
}): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = fhirPath + route.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(route);
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
      schemas: { Resource: resourceSchema, OperationOutcome: resourceSchema },
    },
  };
}

const resourceSchema = { type: 'object', required: ['resourceType'], properties: { resourceType: text } };

function operation(route: Route): Record<string, unknown> {
  return {
    operationId: route.operation,
    summary: route.text,
    ...(route.access === 'open' && { security: [] }),
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(route.consumes.length > 0 && { requestBody: { required: true, content: bodies(route) } }),
    responses: {
      [route.success]: { description: route.text, headers: headersOf(route), content: answer('Resource') },
      '4XX': { description: `An OperationOutcome: ${clientErrors}.`, content: answer('OperationOutcome') },
    },
  };
}

const clientErrors = [...new Set(Object.values(faults).map(({ status }) => status))]
  .filter((status) => status < 500)
  .sort((left, right) => left - right)
  .join(', ');

function answer(schema: string): Record<string, unknown> {
  return { [mediaType]: { schema: { $ref: `#/components/schemas/${schema}` } } };
}

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
      : { $ref: '#/components/schemas/Resource' };
  return Object.fromEntries(
    consumes.map((type) => [type, { schema: name === 'search-post' ? { type: 'object' } : schema }]),
  );
}

function pathParameters({ path }: Route): Parameter[] {
  const schemas: Record<string, Record<string, unknown>> = { type: { enum: resourceTypes } };
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: { type: 'Resource type', id: 'Id of the record', vid: 'Version' }[name] ?? name,
    schema: schemas[name] ?? text,
  }));
}

function queryParameters({ operation: name }: Route): Parameter[] {
  const listed =
    name === 'search'
      ? [...searchParameters, ...resultParametersOf('search')]
      : name.startsWith('history')
        ? resultParametersOf('history')
        : [];
  return listed.map((parameter) => ({
    name: parameter.name,
    in: 'query',
    required: false,
    description: parameter.text,
    schema: text,
  }));
}

function headerParameters({ operation: name }: Route): Parameter[] {
  return requestHeaders
    .filter(({ on }) => on.includes(name))
    .map((header) => ({
      name: header.name,
      in: 'header',
      required: false,
      description: header.text,
      schema: text,
    }));
}

function headersOf({ operation: name }: Route): Record<string, unknown> {
  return Object.fromEntries(
    responseHeaders
      .filter(({ on }) => on.includes(name))
      .map((header) => [header.name, { description: header.text, schema: text }]),
  );
}
