import { afterAll, beforeAll, expect, test } from 'vitest';
import { pathOf } from '../../core/api/contract.ts';
import type { PlacedTarget } from '../../core/app/bulk.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { messageCodeOf } from '../testing/message-code.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

/** Plan with an invalid status and digits that a JavaScript number can't hold. */
const invalidPlan =
  '{"resourceType":"CarePlan","status":"done","intent":"plan","subject":{"reference":"Patient/p"},"activity":[{"detail":{"status":"scheduled","dailyAmount":{"value":1.10000000000000000000}}}]}';
const fixedPlan = invalidPlan.replace('"done"', '"completed"');

const withoutMeta = (text: string) => text.replace(/"id":"[^"]*",|"meta":\{[^}]*\},?/g, '');

/** Imports a record with an error and fixes it in a run. Returns its path and the undo of the run. */
async function fixByRun(): Promise<{ path: string; id: string; undo: string }> {
  const { text } = await server.send('POST', '/app/import?level=off', invalidPlan, {
    'Content-Type': 'application/x-ndjson',
  });
  const { record } = JSON.parse(text.split('\n')[0] ?? '') as { record: string };
  const id = record.replace('CarePlan/', '');
  const path = pathOf('CarePlan', id);
  expect((await server.send('PUT', path, fixedPlan.replace('{', `{"id":"${id}",`))).status).toBe(200);
  const done = { state: 'done', version: 2, etag: 'W/"2"', before: { version: 1, etag: 'W/"1"' } } as const;
  return { path, id, undo: await createUndo({ place: 0, type: 'CarePlan', id, title: '', ...done }) };
}

async function createUndo(target: PlacedTarget): Promise<string> {
  const operations = [{ path: '/status', value: '"completed"' }];
  const run = await app('/app/bulk', { label: 'Mend', operations });
  await app(`/app/bulk/${run.json.id}/targets`, [target]);
  return (await app('/app/bulk', { label: 'Undo', undoes: run.json.id })).json.id as string;
}

const app = (path: string, body: unknown): Promise<Json> => server.send('POST', path, JSON.stringify(body));
const revert = (undo: string, place: number | string = 0, headers: Record<string, string> = {}) =>
  server.send('POST', `/app/bulk/${undo}/targets/${place}/put-back`, undefined, headers);

test('restores the errors of a run exactly, which a client may not store', async () => {
  const { path, id, undo } = await fixByRun();
  const firstVersion = await server.send('GET', `${path}/_history/1`);
  expect((await server.send('PUT', path, invalidPlan.replace('{', `{"id":"${id}",`))).status).toBe(400);
  const answer = await revert(undo);
  expect([answer.status, answer.headers.get('etag'), answer.text]).toEqual([200, 'W/"3"', '{}']);
  const now = await server.send('GET', path);
  expect(now.text).toContain('1.10000000000000000000');
  expect(withoutMeta(now.text)).toBe(withoutMeta(firstVersion.text));
});

test('stores who reverted a version and why', async () => {
  const { id, undo } = await fixByRun();
  const reason = JSON.stringify({ resourceType: 'Provenance', reason: [{ text: 'The wrong list' }] });
  await revert(undo, 0, { 'X-Provenance': reason });
  const { json } = await server.send('GET', `/app/history/CarePlan/${id}`);
  expect(json.versions[0]).toMatchObject({ version: 3, operation: 'update', reason: 'The wrong list' });
});

test('rejects a revert after another change', async () => {
  const { path, id, undo } = await fixByRun();
  const otherPlan = fixedPlan.replace('{', `{"id":"${id}","title":"Since",`);
  expect((await server.send('PUT', path, otherPlan)).status).toBe(200);
  const answer = await revert(undo);
  expect([answer.status, answer.headers.get('etag')]).toEqual([412, 'W/"3"']);
  expect((await server.send('GET', path)).json.title).toBe('Since');
});

test('reverts a version only once', async () => {
  const { path, undo } = await fixByRun();
  await revert(undo);
  expect((await revert(undo)).status).toBe(412);
  expect((await server.send('GET', path)).headers.get('etag')).toBe('W/"3"');
});

test('rejects an unknown undo, target or version', async () => {
  const { undo } = await fixByRun();
  const run = (await server.send('GET', `/app/bulk/${undo}`)).json.undoes as string;
  const unknown = await createUndo({ place: 0, type: 'CarePlan', id: 'a', title: '', state: 'done' });
  const [ofRun, nowhere, noNumber, notKnown] = [
    await revert(run),
    await revert(undo, 1),
    await revert(undo, 'first'),
    await revert(unknown),
  ];
  expect([ofRun, nowhere, noNumber, notKnown].map(({ status }) => status)).toEqual([404, 404, 404, 422]);
  expect(messageCodeOf(notKnown.json.issue[0])).toBe('undo.versionUnknown');
});
