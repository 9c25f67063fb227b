import { expect, test } from 'vitest';
import { capabilityStatement } from './capability.ts';
import { requestHeaders } from './headers.ts';
import { measureReport } from './measure-report.ts';
import { openApiDocument } from './openapi.ts';

const base = 'http://localhost';

test('the OpenAPI document says of each write what it answers, and under which headers', () => {
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

test('the OpenAPI document says what an operation of a patch is made of', () => {
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

test('writes and searches take Prefer; writes take the reason', () => {
  const takes = (operation: (typeof requestHeaders)[number]['on'][number]) =>
    requestHeaders.filter(({ on }) => on.includes(operation)).map(({ name }) => name);
  expect(takes('create')).toEqual(['If-None-Exist', 'X-Provenance', 'Prefer']);
  expect(takes('search-post')).toEqual(['Prefer']);
});

test('the CapabilityStatement lists interactions by their code, and operations elsewhere', () => {
  const statement = JSON.stringify(capabilityStatement({ version: '1', base, date: '2026-01-01' }));
  const interactions = [...statement.matchAll(/"interaction":\[(.*?)\]/g)].map(([, list = '']) => list);
  for (const list of interactions) {
    expect(list).toContain('"code":"search-type"');
    for (const one of JSON.parse(`[${list}]`) as object[]) expect(one).toHaveProperty('code');
  }
});

test('where nothing was measured the MeasureReport has no group', () => {
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
])('of the measured days %j the MeasureReport is of the last', (days, date, period) => {
  expect(measureReport({ from: '2026-01-01', to: '2026-01-09', days, series: [] })).toMatchObject({
    date,
    period,
  });
});
