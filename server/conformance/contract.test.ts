/** Compares the contract's table with the running server: routes, methods, /metadata and /openapi.json. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fhirPath, routes, type Route } from '../../core/api/contract.ts';
import { searchParametersOf } from '../../core/fhir/search-parameters.ts';
import { sampleOf } from '../../core/types/testing/samples.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { sendAs } from '../testing/tokens.ts';
import { createRawClient, type RawClient } from './testing/ask.ts';
import { listRejectionFaults } from './testing/outcome.ts';
import { replace, sample, store, text, types, type Type } from './testing/records.ts';

let server: TestServer;
let rawClient: RawClient;
const ids = {} as Record<Type, string>;
beforeAll(async () => {
  server = await startTestServer();
  rawClient = createRawClient(server);
  for (const type of types) ids[type] = (await store(server, type)).id;
});
afterAll(async () => {
  rawClient.close();
  await server.remove();
});

const addressOf = (path: string, type: Type) =>
  fhirPath + path.replace(':type', type).replace(':id', ids[type]).replace(':vid', '1');

/** Returns query and body that an operation needs. */
function requestOf({ operation }: Route, type: Type): { query?: string; body?: string } {
  switch (operation) {
    case 'search':
      return { query: '?subject=sample' };
    case 'search-post':
      return { body: 'subject=sample' };
    case 'create':
    case 'validate':
    case 'update':
      return { body: text(type, { language: 'nb' }) };
    case 'patch':
      return { body: replace('/language', 'nn') };
    case 'metadata':
    case 'read':
    case 'vread':
    case 'document':
    case 'document-post':
    case 'validate-stored':
    case 'validate-instance':
    case 'history-type':
    case 'history-instance':
      return {};
  }
}

/** Routes of a type. $document exists for Composition only (row 93 of docs/api-rows.md). */
const routesOf = (type: Type) =>
  routes.filter(({ path }) => !path.endsWith('$document') || type === 'Composition');

/** Methods of each path, copied by hand from the specification. */
const allow: Record<string, string> = {
  '/metadata': 'GET, HEAD, OPTIONS',
  '/:type': 'GET, HEAD, POST, OPTIONS',
  '/:type/_search': 'POST, OPTIONS',
  '/:type/_history': 'GET, HEAD, OPTIONS',
  '/:type/$validate': 'POST, OPTIONS',
  '/:type/:id': 'GET, HEAD, PUT, PATCH, OPTIONS',
  '/:type/:id/$document': 'GET, HEAD, POST, OPTIONS',
  '/:type/:id/$validate': 'GET, HEAD, POST, OPTIONS',
  '/:type/:id/_history': 'GET, HEAD, OPTIONS',
  '/:type/:id/_history/:vid': 'GET, HEAD, OPTIONS',
};

test('lists the paths of the specification', () => {
  expect([...new Set(routes.map(({ path }) => path))].toSorted()).toEqual(Object.keys(allow).toSorted());
});

describe.each(types)('%s', (type) => {
  test.each(routesOf(type))('responds to $method $path as $operation', async (route) => {
    const { query = '', body } = requestOf(route, type);
    for (const consumed of route.consumes.length > 0 ? route.consumes : [undefined]) {
      const headers = consumed === undefined ? undefined : { 'Content-Type': consumed };
      const answer = await server.send(route.method, addressOf(route.path, type) + query, body, headers);
      expect([consumed, answer.status]).toEqual([consumed, route.success]);
      expect(answer.json.resourceType).toBe(resourceOf(route, type));
    }
  });

  test.each(routes)('requires a token for $method $path unless access is open: $access', async (route) => {
    const { query = '', body } = requestOf(route, type);
    const headers = route.consumes[0] === undefined ? undefined : { 'Content-Type': route.consumes[0] };
    const address = addressOf(route.path, type) + query;
    const { status } = await sendAs(server, undefined, route.method, address, body, headers);
    expect(status).toBe(route.access === 'open' ? 200 : 401);
  });

  test.each(Object.entries(allow))(
    'returns 405 for all other methods on %s, with Allow: %s',
    async (path, methods) => {
      const supportedMethods = methods.split(', ');
      for (const method of [
        'GET',
        'POST',
        'PUT',
        'PATCH',
        'DELETE',
        'TRACE',
        'PROPFIND',
        'LOCK',
        'SEARCH',
        'QUERY',
      ]) {
        if (supportedMethods.includes(method)) continue;
        const { status, headers, text } = await rawClient.send({ method, path: addressOf(path, type) });
        expect([method, status, headers.allow]).toEqual([method, 405, methods]);
        expect(listRejectionFaults({ status, header: (name) => String(headers[name]), text })).toEqual([]);
      }
      const options = await rawClient.send({ method: 'OPTIONS', path: addressOf(path, type) });
      expect([options.status, options.headers.allow]).toEqual([204, methods]);
    },
  );
});

function resourceOf({ operation }: Route, type: Type): string {
  if (operation === 'metadata') return 'CapabilityStatement';
  if (operation.startsWith('validate')) return 'OperationOutcome';
  return /search|history|document/.test(operation) ? 'Bundle' : type;
}

const commonParameters = '_id _lastUpdated _tag _profile _security _source';

describe('metadata', () => {
  let statement: Json;
  beforeAll(async () => {
    const answer = await sendAs(server, undefined, 'GET', `${fhirPath}/metadata`);
    expect(answer.status).toBe(200);
    statement = answer.json;
  });

  test('is a CapabilityStatement of this instance, FHIR 4.0.1, JSON', () => {
    expect(statement).toMatchObject({
      resourceType: 'CapabilityStatement',
      status: 'active',
      kind: 'instance',
      fhirVersion: '4.0.1',
      implementation: { description: expect.any(String), url: server.origin + fhirPath },
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d/),
      rest: [{ mode: 'server' }],
    });
    expect(statement.format).toContain('json');
    expect(statement.patchFormat).toContain('application/json-patch+json');
  });

  test.each(types)("lists exactly the table's interactions and search parameters of %s", (type) => {
    const resource = statement.rest[0].resource.find((entry: Json) => entry.type === type);
    expect(resource).toMatchObject({
      versioning: 'versioned-update',
      readHistory: true,
      updateCreate: false,
      conditionalCreate: true,
    });
    expect(resource.interaction.map(({ code }: Json) => code).toSorted()).toEqual(
      [
        'create',
        'history-instance',
        'history-type',
        'patch',
        'read',
        'search-type',
        'update',
        'vread',
      ].toSorted(),
    );
    const names = resource.searchParam.map(({ name }: Json) => name).toSorted();
    expect(names).toEqual(`${commonParameters} ${sampleOf(type).parameters}`.split(' ').toSorted());
    expect(names).toEqual(
      searchParametersOf(type)
        .map(({ name }) => name)
        .toSorted(),
    );
    for (const parameter of resource.searchParam)
      expect(parameter.type).toMatch(/^(?:token|date|string|reference|uri)$/);
  });

  test('accepts each listed search parameter', async () => {
    for (const { type, searchParam } of statement.rest[0].resource) {
      for (const { name, type: kind } of searchParam) {
        const value = kind === 'date' ? '2026-01-01' : 'x';
        const path = `${fhirPath}/${type}?subject=x&${name}=${value}`;
        expect([path, (await server.send('GET', path)).status]).toEqual([path, 200]);
      }
    }
  });

  test('lists only types that have a definition', () => {
    expect(statement.rest[0].resource.map(({ type }: Json) => type).toSorted()).toEqual(types.toSorted());
  });

  test('returns URLs below --public-url', async () => {
    const publicServer = await startTestServer({ publicUrl: 'https://fhir.example.org/base' });
    try {
      const { json } = await publicServer.send('GET', `${fhirPath}/metadata`);
      expect(json.implementation.url).toBe('https://fhir.example.org/base/fhir-r4/v1');
      const created = await publicServer.send('POST', `${fhirPath}/CarePlan`, text('CarePlan'));
      expect(created.headers.get('location')).toMatch(
        /^https:\/\/fhir\.example\.org\/base\/fhir-r4\/v1\/CarePlan\//,
      );
    } finally {
      await publicServer.remove();
    }
  });
});

describe('openapi', () => {
  test('requires a token', async () => {
    expect((await sendAs(server, undefined, 'GET', '/openapi.json')).status).toBe(401);
  });

  test('is OpenAPI 3.1 with exactly the paths and methods of the table', async () => {
    const { status, json } = await server.send('GET', '/openapi.json');
    expect([status, json.openapi]).toEqual([200, expect.stringMatching(/^3\.1\.\d+$/)]);
    const documented = Object.entries(json.paths as object)
      .flatMap(([path, methods]) =>
        Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
      )
      .filter((operation) => operation.includes(fhirPath));
    expect(documented.toSorted()).toEqual(
      routes.map(({ method, path }) => `${method} ${fhirPath}${path.replace(/:(\w+)/g, '{$1}')}`).toSorted(),
    );
  });

  test('describes each response, successful or rejected, by its schema', async () => {
    const { json } = await server.send('GET', '/openapi.json');
    const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(json, 'openapi');
    const schemaErrors = (route: Route, status: string, body: unknown): unknown => {
      const template = (fhirPath + route.path).replace(/:(\w+)/g, '{$1}');
      const responses = json.paths[template][route.method.toLowerCase()].responses;
      const { schema } = responses[status].content['application/json; charset=utf-8'];
      const resolvedSchema = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'));
      return ajv.validate(resolvedSchema, body) ? [] : ajv.errors;
    };
    for (const type of types) {
      for (const route of routesOf(type)) {
        const { query = '', body } = requestOf(route, type);
        const [consumed] = route.consumes;
        const headers = consumed === undefined ? undefined : { 'Content-Type': consumed };
        const path = addressOf(route.path, type) + query;
        const answer = await server.send(route.method, path, body, headers);
        const result = [route.operation, schemaErrors(route, String(route.success), answer.json)];
        expect(result).toEqual([route.operation, []]);
        const rejected = await server.send(route.method, path, body, { ...headers, Accept: 'text/html' });
        expect([rejected.status, schemaErrors(route, '4XX', rejected.json)]).toEqual([406, []]);
      }
      const readRoute = routes.find(({ operation }) => operation === 'read');
      const invalidRecord = { ...sample(type), id: 'a', status: 'x', colour: 'red' };
      expect(readRoute && schemaErrors(readRoute, '200', invalidRecord)).not.toEqual([]);
    }
  });

  test('contains a schema of each type and every referenced schema', async () => {
    const { json, text } = await server.send('GET', '/openapi.json');
    const schemas = Object.keys(json.components.schemas);
    expect(schemas).toEqual(expect.arrayContaining([...types, 'Bundle', 'OperationOutcome', 'Resource']));
    const referencedSchemas = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect(schemas).toEqual(expect.arrayContaining(referencedSchemas));
    expect(json.components.schemas.Resource.oneOf).toHaveLength(types.length);
    for (const path of Object.values<Json>(json.paths)) {
      for (const { responses } of Object.values<Json>(path)) {
        expect(Object.keys(responses)).toEqual(expect.arrayContaining(['4XX', '5XX']));
      }
    }
  });

  test('lists ID, path parameters, response and body of each operation', async () => {
    const { json } = await server.send('GET', '/openapi.json');
    const operationIds = new Set<string>();
    for (const route of routes) {
      const path = fhirPath + route.path.replace(/:(\w+)/g, '{$1}');
      const operation = json.paths[path][route.method.toLowerCase()];
      operationIds.add(operation.operationId);
      const declared = operation.parameters
        .filter((parameter: Json) => parameter.in === 'path')
        .map((parameter: Json) => parameter.name);
      expect(declared).toEqual([...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name));
      expect(Object.keys(operation.responses)).toContain(String(route.success));
      expect(Object.keys(operation.requestBody?.content ?? {})).toEqual([...route.consumes]);
    }
    expect(operationIds.size).toBe(routes.length);
  });
});
