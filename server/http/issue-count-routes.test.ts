import { afterEach, beforeEach, expect, test } from 'vitest';
import { IssueCountsAnswer, maxCountedIds } from '../../core/app/issue-counts.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ validation: 'off' });
});
afterEach(() => server.remove());

const create = async (extra = '') =>
  String((await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/1', extra))).json.id);
const requestCounts = (body: unknown) => server.send('POST', '/app/issue-counts', JSON.stringify(body));

test('counts errors and warnings of the named records only', async () => {
  const cleanId = await create();
  const faultyId = await create(',"nonsense":true,"period":{"start":"2024-05-01","end":"2024-04-01"}');
  const unnamed = await create(',"nonsense":true');
  const { json } = await requestCounts({ type: 'CarePlan', ids: [cleanId, faultyId, 'not-there'] });
  expect(matchesSchema(IssueCountsAnswer, json)).toBe(true);
  expect(Object.keys(json)).not.toContain(unnamed);
  expect(json[faultyId][0]).toBeGreaterThanOrEqual(1);
  const errorsOf = (id: string) => (json[id] ?? [0])[0];
  expect(errorsOf(cleanId)).toBe(0);
  expect((await requestCounts({ type: 'Composition', ids: [faultyId] })).json).toEqual({});
});

test('rejects an invalid request', async () => {
  expect((await requestCounts({ type: 'Patient', ids: [] })).status).toBe(400);
  expect((await requestCounts({ type: 'CarePlan', ids: Array(maxCountedIds + 1).fill('a') })).status).toBe(
    400,
  );
});
