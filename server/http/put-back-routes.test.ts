import { afterAll, beforeAll, expect, test } from 'vitest';
import { pathOf } from '../../core/api/contract.ts';
import type { PlacedTarget } from '../../core/app/bulk.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

/** A status outside its binding, and digits that a number of JavaScript cannot hold. */
const broken =
  '{"resourceType":"CarePlan","status":"done","intent":"plan","subject":{"reference":"Patient/p"},"activity":[{"detail":{"status":"scheduled","dailyAmount":{"value":1.10000000000000000000}}}]}';
const mended = broken.replace('"done"', '"completed"');

const withoutMeta = (text: string) => text.replace(/"id":"[^"]*",|"meta":\{[^}]*\},?/g, '');

/** A record that came in with an error, and that a run has mended: its path and the undo of that run. */
async function mendedByRun(): Promise<{ path: string; id: string; undo: string }> {
  const { text } = await server.send('POST', '/app/import?level=off', broken, {
    'Content-Type': 'application/x-ndjson',
  });
  const { record } = JSON.parse(text.split('\n')[0] ?? '') as { record: string };
  const id = record.replace('CarePlan/', '');
  const path = pathOf('CarePlan', id);
  expect((await server.send('PUT', path, mended.replace('{', `{"id":"${id}",`))).status).toBe(200);
  const done = { state: 'done', version: 2, etag: 'W/"2"', before: { version: 1, etag: 'W/"1"' } } as const;
  return { path, id, undo: await undoOf({ place: 0, type: 'CarePlan', id, title: '', ...done }) };
}

async function undoOf(target: PlacedTarget): Promise<string> {
  const operations = [{ path: '/status', value: '"completed"' }];
  const run = await app('/app/bulk', { label: 'Mend', operations });
  await app(`/app/bulk/${run.json.id}/targets`, [target]);
  return (await app('/app/bulk', { label: 'Undo', undoes: run.json.id })).json.id as string;
}

const app = (path: string, body: unknown): Promise<Json> => server.send('POST', path, JSON.stringify(body));
const putBack = (undo: string, place: number | string = 0, headers: Record<string, string> = {}) =>
  server.send('POST', `/app/bulk/${undo}/targets/${place}/put-back`, undefined, headers);

test('an undo brings back the errors that its run mended, to the last digit; a client may not', async () => {
  const { path, id, undo } = await mendedByRun();
  const first = await server.send('GET', `${path}/_history/1`);
  expect((await server.send('PUT', path, broken.replace('{', `{"id":"${id}",`))).status).toBe(400);
  const answer = await putBack(undo);
  expect([answer.status, answer.headers.get('etag'), answer.text]).toEqual([200, 'W/"3"', '{}']);
  const now = await server.send('GET', path);
  expect(now.text).toContain('1.10000000000000000000');
  expect(withoutMeta(now.text)).toBe(withoutMeta(first.text));
});

test('who puts a version back, and why, is kept with it', async () => {
  const { id, undo } = await mendedByRun();
  const reason = JSON.stringify({ resourceType: 'Provenance', reason: [{ text: 'The wrong list' }] });
  await putBack(undo, 0, { 'X-Provenance': reason });
  const { json } = await server.send('GET', `/app/history/CarePlan/${id}`);
  expect(json.versions[0]).toMatchObject({ version: 3, operation: 'update', reason: 'The wrong list' });
});

test('what somebody has changed since stands', async () => {
  const { path, id, undo } = await mendedByRun();
  const other = mended.replace('{', `{"id":"${id}","title":"Since",`);
  expect((await server.send('PUT', path, other)).status).toBe(200);
  const answer = await putBack(undo);
  expect([answer.status, answer.headers.get('etag')]).toEqual([412, 'W/"3"']);
  expect((await server.send('GET', path)).json.title).toBe('Since');
});

test('what is put back already stays one version', async () => {
  const { path, undo } = await mendedByRun();
  await putBack(undo);
  expect((await putBack(undo)).status).toBe(412);
  expect((await server.send('GET', path)).headers.get('etag')).toBe('W/"3"');
});

test('an undo that is none, a place that it does not have, and a version that is not known are told', async () => {
  const { undo } = await mendedByRun();
  const run = (await server.send('GET', `/app/bulk/${undo}`)).json.undoes as string;
  const unknown = await undoOf({ place: 0, type: 'CarePlan', id: 'a', title: '', state: 'done' });
  const [ofRun, nowhere, noNumber, notKnown] = [
    await putBack(run),
    await putBack(undo, 1),
    await putBack(undo, 'first'),
    await putBack(unknown),
  ];
  expect([ofRun, nowhere, noNumber, notKnown].map(({ status }) => status)).toEqual([404, 404, 404, 422]);
  expect(notKnown.json.issue[0].details.text).toBe('It is not known which version stood before the run.');
});
