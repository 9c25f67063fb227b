/** Handlers are called with a request value and return a response value. No socket is involved. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes, type Operation } from '../../core/api/contract.ts';
import { createSearch } from '../fhir/search.ts';
import { createService, type RecordService } from '../fhir/service.ts';
import { openRecordStore } from '../store/sqlite/sqlite-store.ts';
import { carePlan } from '../testing/test-server.ts';
import { createReadHandlers } from './read-routes.ts';
import type { ApiResponse } from './request.ts';
import { createSearchHandlers } from './search-routes.ts';
import { createApiRequest } from './testing/api-request.ts';
import { createWriteHandlers } from './write-routes.ts';

const base = () => 'http://127.0.0.1:1';
const type = 'CarePlan';

let folder: string;
let store: Awaited<ReturnType<typeof openRecordStore>>;
let service: RecordService;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-handlers-'));
  store = await openRecordStore(join(folder, 'records.db'));
  service = createService({
    store,
    clock: Date.now,
    newId: randomUUID,
    level: 'standard',
    requireIfMatch: true,
  });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

async function createRecord(subject: string) {
  const { version } = await service.create({ type, author: 'test', text: carePlan(subject) });
  return version;
}

/** Returns the body of a response that is not streamed. */
function readBody({ body }: ApiResponse): string {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body.toString();
  throw new Error('The response has no such body.');
}

function findRoute(operation: Operation) {
  const route = routes.find((candidate) => candidate.operation === operation);
  if (!route) throw new Error(`The contract has no ${operation}.`);
  return route;
}

test('reads the stored text, and responds with 304 if the client has it', async () => {
  const { id, text } = await createRecord('Patient/read');
  const handlers = createReadHandlers(service);
  const response = await handlers.read(createApiRequest({ params: { type, id } }));
  expect([response.status, response.headers?.ETag, readBody(response)]).toEqual([200, 'W/"1"', text]);

  const headers = { 'If-None-Match': 'W/"1"' };
  const { status, body } = await handlers.read(createApiRequest({ params: { type, id }, headers }));
  expect([status, body]).toEqual([304, undefined]);
});

test('updates over the current version only', async () => {
  const { id, text } = await createRecord('Patient/update');
  const { update } = createWriteHandlers(service, base, () => false);
  const change = text.replace('{', '{"title":"Two",');
  const request = createApiRequest({
    method: 'PUT',
    params: { type, id },
    headers: { 'If-Match': 'W/"1"' },
    body: change,
  });
  const response = await update(request, findRoute('update'));
  expect([response.status, response.headers?.ETag, request.notes.isAudited]).toEqual([200, 'W/"2"', true]);
  expect(response.body).toContain('"title":"Two"');

  const staleRequest = createApiRequest({
    method: 'PUT',
    params: { type, id },
    headers: { 'If-Match': 'W/"1"' },
    body: change.replace('Two', 'Three'),
  });
  await expect(update(staleRequest, findRoute('update'))).rejects.toMatchObject({ status: 412 });
  expect(staleRequest.notes.isAudited).toBeUndefined();
});

test('searches with the parameters of the address', async () => {
  const { id } = await createRecord('Patient/search');
  const { search } = createSearchHandlers(createSearch({ store }), base);
  const url = `/fhir-r4/v1/${type}?subject=Patient/search`;
  const response = await search(createApiRequest({ url, params: { type } }));
  const bundle = JSON.parse(readBody(response)) as { total: number; entry: { fullUrl: string }[] };
  expect([response.status, bundle.total, bundle.entry.map(({ fullUrl }) => fullUrl)]).toEqual([
    200,
    1,
    [`${base()}/fhir-r4/v1/${type}/${id}`],
  ]);
});
