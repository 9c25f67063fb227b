/** Seeded random requests, 10,000 in `npm run test:faults`: no 5xx, no HTML, no dropped connection, every 4xx an OperationOutcome. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noFaultAmongRequests, startTestServer, type TestServer } from '../testing/test-server.ts';
import { asker, inParallel, type Asker } from './testing/ask.ts';
import { requests } from './testing/fuzz-requests.ts';
import { faultsOfRefusal } from './testing/outcome.ts';
import { at, store, text, types } from './testing/records.ts';

const seed = Number(process.env.FUZZ_SEED ?? 20260101);
const count = Number(process.env.FUZZ_COUNT ?? 1000);

let server: TestServer;
let below: Asker;
const known: string[] = [];
beforeAll(async () => {
  server = await startTestServer({ failureLimit: Infinity, logRequests: true }, noFaultAmongRequests);
  below = asker(server, 8);
  for (const type of types) {
    for (let index = 0; index < 10; index += 1) {
      const members = { extension: [{ url: 'urn:a', valueString: `${index}` }], language: 'nb' };
      known.push((await store(server, type, members)).path);
    }
  }
});
afterAll(async () => {
  below.close();
  await server.remove();
});

test(`${count} random requests of seed ${seed} are answered in JSON, none with a fault of the server`, async () => {
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  await inParallel(fc.sample(requests(known), { numRuns: count, seed }), 8, async (question, index) => {
    const note = (fault: string) => {
      const { method, path, headers, body } = question;
      const shown = JSON.stringify({ method, path, headers, body: body?.toString().slice(0, 300) });
      faults.push(`${index} ${shown}: ${fault}`);
    };
    try {
      const { status, headers, text: body } = await below.ask(question);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const type = String(headers['content-type']);
      if (status >= 500 || status < 200) note(`status ${status}: ${JSON.stringify(body.slice(0, 900))}`);
      else if (status === 304) return;
      else if (!type.startsWith('application/json') && !isPage(question.path)) note(`Content-Type ${type}`);
      else if (status >= 400 && question.method !== 'HEAD' && !question.path.startsWith('/oauth2/')) {
        const shown = { status, header: (name: string) => String(headers[name]), text: body };
        for (const fault of faultsOfRefusal(shown)) note(fault);
      } else if (body !== '' && type.startsWith('application/json')) JSON.parse(body);
    } catch (error) {
      note(`dropped: ${String(error)}`);
    }
  });
  expect(faults.slice(0, 20)).toEqual([]);
  // The requests are worth sending: each kind of answer came.
  expect([...statuses.keys()]).toEqual(
    expect.arrayContaining([200, 201, 204, 400, 401, 404, 405, 406, 412, 415, 422]),
  );
});

test('the server still works, and its records are what they should be', async () => {
  for (const type of types) {
    const { json } = await server.send('GET', `${at(type)}/_history?_count=1000`);
    for (const { resource } of json.entry) expect(resource.resourceType).toBe(type);
    const created = await server.send('POST', at(type), text(type));
    expect((await server.send('GET', at(type, created.json.id))).text).toBe(created.text);
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
});

/** The page's own files are the one thing that is no JSON. */
function isPage(path: string): boolean {
  return !path.startsWith('/fhir-r4/') && !path.startsWith('/app/');
}
