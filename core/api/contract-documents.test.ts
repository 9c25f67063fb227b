import { expect, test } from 'vitest';
import { capabilityStatement } from './capability.ts';
import { requestHeaders } from './headers.ts';
import { measureReport } from './measure-report.ts';
import { openApiDocument } from './openapi.ts';

const base = 'http://localhost';

interface CapabilityResource {
  readonly type: string;
  readonly extension?: unknown;
  readonly referencePolicy: readonly string[];
  readonly searchInclude?: readonly string[];
  readonly searchRevInclude?: readonly string[];
  readonly operation: readonly { readonly name: string }[];
}

function restOf(options: { readonly requireSubject?: boolean; readonly cors?: boolean }) {
  const statement = capabilityStatement({ version: '1', base, date: '2026-01-01', ...options });
  return statement.rest as readonly { readonly resource: readonly CapabilityResource[] }[];
}

test('documents the responses of a patch and the ETag of an update in OpenAPI', () => {
  const document = openApiDocument({ version: '1', base, schemas: {} });
  const patch = /"operationId":"patch".*?"4XX"/.exec(JSON.stringify(document))?.[0] ?? '';
  expect(patch).toContain('#/components/schemas/Resource');
  expect(patch).toContain('#/components/schemas/OperationOutcome');
  expect(document).toMatchObject({
    paths: {
      '/fhir-r4/v1/{type}/{id}': {
        put: { responses: { 200: { headers: { ETag: { schema: { type: 'string' } } } } } },
      },
    },
  });
});

test('includes the given schemas and that of the CapabilityStatement in OpenAPI', () => {
  const schemas = { Bundle: { type: 'object' } };
  expect(openApiDocument({ version: '1', base, schemas })).toMatchObject({
    openapi: '3.1.0',
    servers: [{ url: base }],
    security: [{ bearer: [] }],
    components: {
      schemas: {
        Bundle: { type: 'object' },
        CapabilityStatement: { properties: { resourceType: { const: 'CapabilityStatement' } } },
      },
      securitySchemes: {
        client: { flows: { clientCredentials: { tokenUrl: `${base}/oauth2/token` } } },
      },
    },
  });
});

test.each<[method: string, path: string, expected: object]>([
  ['get', '/fhir-r4/v1/metadata', { security: [] }],
  ['post', '/fhir-r4/v1/{type}', { responses: { 200: {}, 201: {} }, requestBody: { required: true } }],
  ['get', '/fhir-r4/v1/{type}/{id}', { responses: { 200: {}, 304: {} } }],
  [
    'post',
    '/fhir-r4/v1/{type}/_search',
    {
      requestBody: {
        content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } },
      },
    },
  ],
])('documents request and responses of %s %s in OpenAPI', (method, path, expected) => {
  const document = openApiDocument({ version: '1', base, schemas: {} });
  expect(document).toHaveProperty(['paths', path, method], expect.objectContaining({}));
  expect((document.paths as Record<string, Record<string, object>>)[path]?.[method]).toMatchObject(expected);
});

test('lists parameters in OpenAPI by their location', () => {
  const { paths } = openApiDocument({ version: '1', base, schemas: {} }) as {
    paths: Record<string, Record<string, { parameters: { name: string; in: string; required: boolean }[] }>>;
  };
  const parameterNames = (path: string, location: string) =>
    paths[`/fhir-r4/v1${path}`]?.get?.parameters
      .filter((parameter) => parameter.in === location)
      .map(({ name }) => name);
  expect(parameterNames('/{type}', 'query')).toEqual(expect.arrayContaining(['subject', '_count', '_sort']));
  expect(parameterNames('/{type}/{id}/_history', 'query')).toEqual(
    expect.arrayContaining(['_since', '_count']),
  );
  expect(parameterNames('/{type}/{id}/_history', 'query')).not.toContain('subject');
  expect(parameterNames('/metadata', 'query')).toEqual([]);
  expect(parameterNames('/{type}/{id}/_history/{vid}', 'path')).toEqual(['type', 'id', 'vid']);
  expect(paths['/fhir-r4/v1/{type}/{id}']?.get?.parameters).toContainEqual(
    expect.objectContaining({ name: 'type', required: true, description: 'Resource type' }),
  );
});

test('describes the body of a JSON Patch in OpenAPI', () => {
  const document = openApiDocument({ version: '1', base, schemas: {} });
  expect(document).toHaveProperty(
    ['paths', '/fhir-r4/v1/{type}/{id}', 'patch', 'requestBody', 'content', 'application/json-patch+json'],
    expect.objectContaining({
      schema: {
        type: 'array',
        items: {
          type: 'object',
          required: ['op', 'path', 'value'],
          properties: { op: { const: 'replace' }, path: { type: 'string' } },
        },
      },
    }),
  );
});

test('lists the statuses of rejections in OpenAPI from low to high', () => {
  const text = JSON.stringify(openApiDocument({ version: '1', base, schemas: {} }));
  const [, statusList = ''] = /Request refused: ([^.]*)\./.exec(text) ?? [];
  const statuses = statusList.split(', ').map(Number);
  expect(statuses).toEqual(expect.arrayContaining([400, 404, 412]));
  expect(statuses).toEqual([...new Set(statuses)].toSorted((left, right) => left - right));
});

test('lists the request headers of creates and searches', () => {
  const headersOf = (operation: (typeof requestHeaders)[number]['operations'][number]) =>
    requestHeaders.filter(({ operations }) => operations.includes(operation)).map(({ name }) => name);
  expect(headersOf('create')).toEqual(['If-None-Exist', 'X-Provenance', 'Prefer']);
  expect(headersOf('search-post')).toEqual(['Prefer']);
});

test('gives each interaction of the CapabilityStatement a code', () => {
  const statement = JSON.stringify(capabilityStatement({ version: '1', base, date: '2026-01-01' }));
  const interactionLists = [...statement.matchAll(/"interaction":\[(.*?)\]/g)].map(([, list = '']) => list);
  for (const list of interactionLists) {
    expect(list).toContain('"code":"search-type"');
    for (const interaction of JSON.parse(`[${list}]`) as object[]) expect(interaction).toHaveProperty('code');
  }
});

test('describes access to the server in the CapabilityStatement', () => {
  const [serverRest] = restOf({ cors: true });
  expect(serverRest).toMatchObject({
    mode: 'server',
    security: {
      cors: true,
      service: [{ coding: [{ code: 'SMART-on-FHIR' }] }],
      extension: [{ extension: [{ url: 'token', valueUri: `${base}/oauth2/token` }] }],
    },
  });
  expect(restOf({})[0]).toMatchObject({ security: { cors: false } });
});

test('declares literal and logical references in the CapabilityStatement', () => {
  const policies = restOf({}).flatMap(({ resource }) => resource.map((resource) => resource.referencePolicy));
  expect(new Set(policies.flat())).toEqual(new Set(['literal', 'logical']));
});

test('declares required subjects and includes in the CapabilityStatement', () => {
  const resourcesOf = (options: Parameters<typeof restOf>[0]) =>
    Object.fromEntries((restOf(options)[0]?.resource ?? []).map((resource) => [resource.type, resource]));
  const { CarePlan, Composition } = resourcesOf({ requireSubject: true });
  expect(CarePlan?.extension).toMatchObject(
    ['subject', 'patient', '_id'].map((valueString) => ({ extension: [{ url: 'required', valueString }] })),
  );
  expect(Composition).not.toHaveProperty('extension');
  expect(resourcesOf({}).CarePlan).not.toHaveProperty('extension');
  expect(CarePlan?.searchInclude).toEqual(CarePlan?.searchRevInclude);
  expect(CarePlan?.searchInclude).toContain('CarePlan:part-of');
  const operationsOf = (resource: CapabilityResource | undefined) =>
    resource?.operation.map(({ name }) => name);
  expect(operationsOf(CarePlan)).toEqual(['validate']);
  expect(operationsOf(Composition)).toEqual(['validate', 'document']);
});

test('omits the groups of a MeasureReport without measured days', () => {
  const span = { from: '2026-01-01', to: '2026-01-02', days: ['2026-01-02'] };
  expect(measureReport({ ...span, series: [] })).not.toHaveProperty('group');
  const points: [string, number, number, number, number][] = [['2026-01-02', 4, 1, 0, 1]];
  expect(measureReport({ ...span, series: [{ check: 'empty', type: 'CarePlan', points }] })).toMatchObject({
    period: { start: '2026-01-02', end: '2026-01-02' },
    group: [{ code: { text: 'empty, CarePlan' }, measureScore: { value: 0.75 } }],
  });
});

test.each([
  [['2026-01-02', '2026-01-03'], '2026-01-03', { start: '2026-01-03', end: '2026-01-03' }],
  [[], '2026-01-09', { start: '2026-01-01', end: '2026-01-09' }],
])(
  'dates the MeasureReport by the last measured day of %j, or by the end of its period',
  (days, date, period) => {
    expect(measureReport({ from: '2026-01-01', to: '2026-01-09', days, series: [] })).toMatchObject({
      date,
      period,
    });
  },
);
