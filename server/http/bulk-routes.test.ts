import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bulkLimits, BulkPage, BulkRun, BulkRunList, type PlacedTarget } from '../../core/app/bulk.ts';
import { is } from '../../core/json/shape.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { mint, sendAs } from '../testing/tokens.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { localServer } from '../workspace/server-key.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const asked = { label: 'All CarePlans', operations: [{ path: '/status', value: '"active"', now: '1.00' }] };
const target = (place: number, state: PlacedTarget['state'] = 'ready'): PlacedTarget => ({
  ...{ place, type: 'CarePlan', id: `r-${place}`, title: `Plan ${place}`, state, version: 1 },
});
const create = async () => (await server.send('POST', '/app/bulk', JSON.stringify(asked))).json.id as string;
const save = (id: string, targets: readonly PlacedTarget[]) =>
  server.send('POST', `/app/bulk/${id}/targets`, JSON.stringify(targets));

test('a run keeps its operations, its targets and what became of them', async () => {
  const id = await create();
  await save(id, [target(0), target(1), target(2)]);
  await server.send('PUT', `/app/bulk/${id}`, '{"state":"running"}');
  await save(id, [{ ...target(1, 'done'), version: 2 }]);
  await save(id, [{ ...target(2, 'failed'), detail: 'Refused.' }]);
  const { json: run } = await server.send('GET', `/app/bulk/${id}`);
  expect(is(BulkRun, run)).toBe(true);
  expect(run).toMatchObject({ ...asked, state: 'running', counts: { ready: 1, done: 1, failed: 1 } });
  const { json: page } = await server.send('GET', `/app/bulk/${id}/targets`);
  expect(is(BulkPage, page)).toBe(true);
  expect(page).toEqual({
    targets: [
      target(0),
      { ...target(1, 'done'), version: 2 },
      { ...target(2, 'failed'), detail: 'Refused.' },
    ],
  });
  const { json: runs } = await server.send('GET', '/app/bulk');
  expect(is(BulkRunList, runs)).toBe(true);
  expect(runs[0]).toEqual(run);
});

test('many targets come page by page, in their order', async () => {
  const id = await create();
  for (const first of [0, 1000, 2000]) {
    await save(
      id,
      Array.from({ length: first === 2000 ? 5 : 1000 }, (_, at) => target(first + at)),
    );
  }
  const places: number[] = [];
  for (let after = ''; ;) {
    const { json } = await server.send('GET', `/app/bulk/${id}/targets${after}`);
    places.push(...json.targets.map(({ place }: PlacedTarget) => place));
    if (json.next === undefined) break;
    after = `?after=${json.next}`;
  }
  expect(places).toEqual(Array.from({ length: 2005 }, (_, at) => at));
});

test('an undo takes what the run wrote, in its order, with the version to put back; once', async () => {
  const id = await create();
  const before = { version: 1, etag: 'W/"1"' };
  const wrote = (place: number) => ({ ...target(place, 'done'), version: 2, etag: 'W/"2"', before });
  await save(id, [wrote(0), { ...target(1, 'failed'), detail: 'Refused.' }, wrote(2)]);
  const undo = () => server.send('POST', '/app/bulk', JSON.stringify({ label: 'Undo', undoes: id }));
  await server.send('PUT', `/app/bulk/${id}`, '{"state":"running"}');
  expect((await undo()).status).toBe(422);
  await server.send('PUT', `/app/bulk/${id}`, '{"state":"stopped"}');
  const made = await undo();
  expect(made.status).toBe(201);
  expect(is(BulkRun, made.json)).toBe(true);
  expect(made.json).toMatchObject({ label: 'Undo', operations: [], undoes: id, state: 'stopped' });
  const { json: page } = await server.send('GET', `/app/bulk/${made.json.id}/targets`);
  expect(page.targets).toEqual([
    { ...wrote(0), state: 'ready' },
    { ...wrote(2), place: 1, state: 'ready' },
  ]);
  expect((await undo()).status).toBe(409);
  expect((await server.send('PUT', `/app/bulk/${id}`, '{"state":"running"}')).status).toBe(422);
});

test('a run says that it was undone, until its undo is undone itself', async () => {
  const id = await create();
  await save(id, [{ ...target(0, 'done'), before: { version: 1 } }]);
  const undoOf = async (undoes: string) => {
    const { json } = await server.send('POST', '/app/bulk', JSON.stringify({ label: 'Undo', undoes }));
    await save(json.id, [{ ...target(0, 'done'), version: 3, before: { version: 2 } }]);
    return json.id as string;
  };
  const stateOf = async (run: string) => (await server.send('GET', `/app/bulk/${run}`)).json.undo;
  const undo = await undoOf(id);
  expect(await stateOf(id)).toEqual({ run: undo, done: 1, stands: true });
  const again = await undoOf(undo);
  expect(await stateOf(undo)).toEqual({ run: again, done: 1, stands: true });
  expect(await stateOf(id)).toEqual({ run: undo, done: 1, stands: false });
});

test('a run that wrote nothing, or that is not there, is not undone', async () => {
  const id = await create();
  await save(id, [target(0, 'failed')]);
  const undo = (undoes: string) =>
    server.send('POST', '/app/bulk', JSON.stringify({ label: 'Undo', undoes }));
  expect((await undo(id)).status).toBe(422);
  expect((await undo('other')).status).toBe(404);
});

test('a removed run is gone with its targets', async () => {
  const id = await create();
  await save(id, [target(0)]);
  expect((await server.send('DELETE', `/app/bulk/${id}`)).status).toBe(200);
  expect((await server.send('GET', `/app/bulk/${id}`)).status).toBe(404);
  expect((await save(id, [target(0)])).status).toBe(404);
});

test('what is no run or no target is refused', async () => {
  const id = await create();
  for (const body of ['{}', '{"label":"x","operations":[]}', '{"label":"x","operations":[{"path":1}]}']) {
    expect((await server.send('POST', '/app/bulk', body)).status).toBe(400);
  }
  for (const body of ['{}', '[{"place":0}]', JSON.stringify([{ ...target(0), state: 'lost' }])]) {
    expect((await server.send('POST', `/app/bulk/${id}/targets`, body)).status).toBe(400);
  }
  expect((await server.send('PUT', `/app/bulk/${id}`, '{"state":"over"}')).status).toBe(400);
  const { token } = await mint(server, ['system/*.cruds']);
  expect((await sendAs(server, `Bearer ${token}`, 'GET', '/app/bulk')).status).toBe(403);
});

test('a run counts the records that were erased of it, and keeps nothing else of them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-bulk-'));
  const workspace = await openWorkspace(join(folder, 'workspace.db'));
  const run = (await workspace.bulk.create(localServer, asked))?.id ?? '';
  await workspace.bulk.save(run, [target(0), target(1), target(2)]);
  const why = { time: new Date(0).toISOString(), who: 'owner', reason: 'Asked for.' };
  workspace.erasures.add({ type: 'CarePlan', id: 'r-1', ...why });
  workspace.erasures.clean();
  expect(await workspace.bulk.find(localServer, run)).toMatchObject({ erased: 1, counts: { ready: 2 } });
  await workspace.close();
  await rm(folder, { recursive: true });
});

test('a run is there after a restart, and only the newest are kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-bulk-'));
  const path = join(folder, 'workspace.db');
  const before = await openWorkspace(path);
  for (let number = 0; number < bulkLimits.runs + 3; number += 1)
    await before.bulk.create(localServer, asked);
  const [newest] = await before.bulk.list(localServer);
  await before.bulk.save(newest?.id ?? '', [target(0)]);
  await before.close();
  const after = await openWorkspace(path);
  const runs = await after.bulk.list(localServer);
  expect(runs).toHaveLength(bulkLimits.runs);
  expect(runs[0]).toMatchObject({ id: newest?.id, counts: { ready: 1 } });
  await after.close();
  await rm(folder, { recursive: true });
});
