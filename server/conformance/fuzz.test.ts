/**
 * Sends seeded random requests (10,000 in `npm run test:faults`). Expects no 5xx, no HTML, no dropped connection, and an
 * OperationOutcome for every 4xx.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noFaultAmongRequests, startTestServer, type TestServer } from '../testing/test-server.ts';
import { createRawClient, inParallel, type RawClient } from './testing/ask.ts';
import { requests } from './testing/fuzz-requests.ts';
import { listRejectionFaults } from './testing/outcome.ts';
import { toPath, store, text, types } from './testing/records.ts';

const seed = Number(process.env.FUZZ_SEED ?? 20260101);
const count = Number(process.env.FUZZ_COUNT ?? 1000);

let server: TestServer;
let rawClient: RawClient;
const knownPaths: string[] = [];
beforeAll(async () => {
  server = await startTestServer({ failureLimit: Infinity, logRequests: true }, noFaultAmongRequests);
  rawClient = createRawClient(server, 8);
  for (const type of types) {
    for (let index = 0; index < 10; index += 1) {
      const members = { extension: [{ url: 'urn:a', valueString: `${index}` }], language: 'nb' };
      knownPaths.push((await store(server, type, members)).path);
    }
  }
});
afterAll(async () => {
  rawClient.close();
  await server.remove();
});

test(`returns JSON and no server error for ${count} random requests of seed ${seed}`, async () => {
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  await inParallel(fc.sample(requests(knownPaths), { numRuns: count, seed }), 8, async (request, index) => {
    const addFault = (fault: string) => {
      const { method, path, headers, body } = request;
      const description = JSON.stringify({ method, path, headers, body: body?.toString().slice(0, 300) });
      faults.push(`${index} ${description}: ${fault}`);
    };
    try {
      const { status, headers, text: body } = await rawClient.send(request);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const type = String(headers['content-type']);
      if (status >= 500 || status < 200) addFault(`status ${status}: ${JSON.stringify(body.slice(0, 900))}`);
      else if (status === 304) return;
      else if (!type.startsWith('application/json') && !isPage(request.path))
        addFault(`Content-Type ${type}`);
      else if (status >= 400 && request.method !== 'HEAD' && !request.path.startsWith('/oauth2/')) {
        const rejection = { status, header: (name: string) => String(headers[name]), text: body };
        for (const fault of listRejectionFaults(rejection)) addFault(fault);
      } else if (body !== '' && type.startsWith('application/json')) JSON.parse(body);
    } catch (error) {
      addFault(`dropped: ${String(error)}`);
    }
  });
  expect(faults.slice(0, 20)).toEqual([]);
  // Each kind of response occurred, so the requests are varied enough.
  expect([...statuses.keys()]).toEqual(
    expect.arrayContaining([200, 201, 204, 400, 401, 404, 405, 406, 412, 415, 422]),
  );
});

test('stores and returns records after the random requests', async () => {
  for (const type of types) {
    const { json } = await server.send('GET', `${toPath(type)}/_history?_count=1000`);
    for (const { resource } of json.entry) expect(resource.resourceType).toBe(type);
    const created = await server.send('POST', toPath(type), text(type));
    expect((await server.send('GET', toPath(type, created.json.id))).text).toBe(created.text);
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
});

/** Returns true for paths of the page's files, the only responses that are not JSON. */
function isPage(path: string): boolean {
  return !path.startsWith('/fhir-r4/') && !path.startsWith('/app/');
}
