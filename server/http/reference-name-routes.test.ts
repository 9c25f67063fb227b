import { afterEach, beforeEach, expect, test } from 'vitest';
import { mostReferences, ReferenceNames } from '../../core/app/reference-names.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ validation: 'off' });
});
afterEach(() => server.remove());

const requestNames = (references: readonly string[]) =>
  server.send('POST', '/app/reference-names', JSON.stringify({ of: references }));

const related = [
  {
    resourceType: 'Condition',
    id: 'c',
    code: { text: 'Asthma' },
    verificationStatus: { coding: [{ code: 'refuted' }] },
  },
  {
    resourceType: 'MedicationStatement',
    id: 'm',
    status: 'not-taken',
    medicationCodeableConcept: { text: 'Iron' },
  },
  { resourceType: 'Observation', id: 'o', status: 'final', code: { text: 'Weight' } },
];

test('names related resources and their modifiers for every form of reference', async () => {
  const entry = related.map((resource) => ({
    fullUrl: `https://clinic.example/fhir/${resource.resourceType}/${resource.id}`,
    resource,
  }));
  const bundle = JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry });
  await server.send('POST', '/app/import', bundle, { 'Content-Type': 'application/json' });
  const address = 'https://clinic.example/fhir/Condition/c';
  const { json } = await requestNames([
    'Condition/c',
    address,
    'MedicationStatement/m',
    'Observation/o',
    'Goal/none',
  ]);
  expect(matchesSchema(ReferenceNames, json)).toBe(true);
  const condition = { type: 'Condition', name: 'Asthma', modifiers: [{ words: 'Refuted', negates: true }] };
  expect(json.names).toEqual({
    'Condition/c': condition,
    [address]: condition,
    'MedicationStatement/m': {
      type: 'MedicationStatement',
      name: 'Iron',
      modifiers: [{ words: 'Not taken', negates: true }],
    },
    'Observation/o': { type: 'Observation', name: 'Weight', modifiers: [] },
  });
});

test('rejects more references than the page shows at once', async () => {
  expect((await requestNames(Array(mostReferences + 1).fill('a'))).status).toBe(400);
  expect((await server.send('POST', '/app/reference-names', '{}')).status).toBe(400);
});
