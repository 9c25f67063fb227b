import { afterEach, beforeEach, expect, test } from 'vitest';
import { maxSubjectNames, SubjectNames } from '../../core/app/subject-names.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ validation: 'off' });
});
afterEach(() => server.remove());

async function plan(subject: object, contained: readonly object[] = []): Promise<string> {
  const record = { resourceType: 'CarePlan', status: 'active', intent: 'plan', subject, contained };
  const { json } = await server.send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify(record));
  return `CarePlan/${String(json.id)}`;
}
const requestNames = (references: readonly string[]) =>
  server.send('POST', '/app/subject-names', JSON.stringify({ of: references }));

test('names a subject by any of its records for every form of reference', async () => {
  await plan({ reference: 'urn:uuid:17', display: 'Zoë Fixture' });
  const unnamed = await plan({ reference: 'Patient/17' });
  await plan({ reference: 'Patient/18' });
  const { json } = await requestNames(['17', '18', 'nobody', 'a,b', unnamed]);
  expect(matchesSchema(SubjectNames, json)).toBe(true);
  expect(json.names).toEqual({ '17': 'Zoë Fixture', [unnamed]: 'Zoë Fixture' });
});

test('names the contained patient of a record', async () => {
  const patient = { resourceType: 'Patient', id: 'p', name: [{ given: ['Ada', 'B.'], family: 'Example' }] };
  const record = await plan({ reference: '#p' }, [patient]);
  expect((await requestNames([record, 'CarePlan/none', 'Patient/p'])).json.names).toEqual({
    [record]: 'Ada B. Example',
  });
});

test('rejects an invalid request', async () => {
  expect((await requestNames(Array(maxSubjectNames + 1).fill('a'))).status).toBe(400);
  expect((await server.send('POST', '/app/subject-names', '{}')).status).toBe(400);
});

test('names a subject by its Patient resource if no record names it', async () => {
  const urn = '0d1e2f3a-0000-4000-8000-0000000000bb';
  const people = [
    [
      'https://clinic.example/fhir/Patient/21',
      '{"resourceType":"Patient","id":"21","name":[{"text":"Ada Example"}]}',
    ],
    [`urn:uuid:${urn}`, '{"resourceType":"Patient","id":"22","name":[{"family":"Fixture","given":["Bo"]}]}'],
    ['https://clinic.example/fhir/Device/23', '{"resourceType":"Device","id":"23","name":"None"}'],
  ].map(([fullUrl, resource]) => `{"fullUrl":"${fullUrl}","resource":${resource}}`);
  const bundle = `{"resourceType":"Bundle","type":"collection","entry":[${people.join(',')}]}`;
  await server.send('POST', '/app/import', bundle, { 'Content-Type': 'application/json' });
  await plan({ reference: 'Patient/21' });
  const unnamed = await plan({ reference: `urn:uuid:${urn}` });
  expect((await requestNames(['21', urn, '23', unnamed])).json.names).toEqual({
    '21': 'Ada Example',
    [urn]: 'Bo Fixture',
    [unnamed]: 'Bo Fixture',
  });
});
