/** An earlier version comes back as it was, also where the level would refuse what is wrong with it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const path = '/fhir-r4/v1/CarePlan/dirty';
const dirty =
  '{"resourceType":"CarePlan","id":"dirty","status":"in-progress","intent":"plan","subject":{"reference":"Patient/p"},"language":"en_GB"}';

async function putText(text: string): Promise<number> {
  return (await server.send('PUT', path, text)).status;
}

test('what was stored before comes back; the same fault in another text is refused', async () => {
  await server.send('POST', '/app/import?keepIds=true&level=off', dirty);
  const first = (await server.send('GET', path)).text;
  const mended = first.replace('in-progress', 'active').replace('en_GB', 'en-GB');
  expect(await putText(mended)).toBe(200);
  const second = (await server.send('GET', path)).text;

  // As a fault that is new it is refused.
  expect(await putText(second.replace('"active"', '"in-progress"').replace('"plan"', '"order"'))).toBe(400);
  expect(await putText(first)).toBe(200);
  const third = (await server.send('GET', path)).json;
  expect(third).toMatchObject({ status: 'in-progress', language: 'en_GB', meta: { versionId: '3' } });
  // The worklist has its faults again.
  const { json } = await server.send('GET', '/app/quality/findings');
  expect(json.findings.map(({ rule }: { rule: string }) => rule).toSorted()).toEqual([
    'language-tag',
    'schema-code',
  ]);
});

test('a record of another id, and a patch, are judged as ever', async () => {
  await putText((await server.send('GET', path)).text.replace('in-progress', 'active'));
  const other = dirty
    .replaceAll('"dirty"', '"other"')
    .replace('in-progress', 'active')
    .replace('en_GB', 'en-GB');
  await server.send('POST', '/app/import?keepIds=true&level=off', other);
  const there = '/fhir-r4/v1/CarePlan/other';
  const faulty = (await server.send('GET', there)).text.replace('"active"', '"in-progress"');
  expect((await server.send('PUT', there, faulty)).status).toBe(400);
  const patch = '[{"op":"replace","path":"/status","value":"in-progress"}]';
  expect((await server.send('PATCH', path, patch)).status).toBe(422);
});
