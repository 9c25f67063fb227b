import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bulkLimits, BulkPage, BulkRun, BulkRunList, type PlacedTarget } from '../../core/app/bulk.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { localServer } from '../workspace/server-key.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const newRun = { label: 'All CarePlans', operations: [{ path: '/status', value: '"active"', now: '1.00' }] };
const createTarget = (place: number, state: PlacedTarget['state'] = 'ready'): PlacedTarget => ({
  place,
  type: 'CarePlan',
  id: `r-${place}`,
  title: `Plan ${place}`,
  state,
  version: 1,
});
const createRun = async () =>
  (await server.send('POST', '/app/bulk', JSON.stringify(newRun))).json.id as string;
const saveTargets = (id: string, targets: readonly PlacedTarget[]) =>
  server.send('POST', `/app/bulk/${id}/targets`, JSON.stringify(targets));

test('stores the operations, targets and outcomes of a run', async () => {
  const id = await createRun();
  await saveTargets(id, [createTarget(0), createTarget(1), createTarget(2)]);
  await server.send('PUT', `/app/bulk/${id}`, '{"state":"running"}');
  await saveTargets(id, [{ ...createTarget(1, 'done'), version: 2 }]);
  await saveTargets(id, [{ ...createTarget(2, 'failed'), detail: 'Refused.' }]);
  const { json: run } = await server.send('GET', `/app/bulk/${id}`);
  expect(matchesSchema(BulkRun, run)).toBe(true);
  expect(run).toMatchObject({ ...newRun, state: 'running', counts: { ready: 1, done: 1, failed: 1 } });
  const { json: page } = await server.send('GET', `/app/bulk/${id}/targets`);
  expect(matchesSchema(BulkPage, page)).toBe(true);
  expect(page).toEqual({
    targets: [
      createTarget(0),
      { ...createTarget(1, 'done'), version: 2 },
      { ...createTarget(2, 'failed'), detail: 'Refused.' },
    ],
  });
  const { json: runs } = await server.send('GET', '/app/bulk');
  expect(matchesSchema(BulkRunList, runs)).toBe(true);
  expect(runs[0]).toEqual(run);
});

test('pages many targets in order', async () => {
  const id = await createRun();
  for (const firstPlace of [0, 1000, 2000]) {
    await saveTargets(
      id,
      Array.from({ length: firstPlace === 2000 ? 5 : 1000 }, (_, index) => createTarget(firstPlace + index)),
    );
  }
  const places: number[] = [];
  for (let after = ''; ;) {
    const { json } = await server.send('GET', `/app/bulk/${id}/targets${after}`);
    places.push(...json.targets.map(({ place }: PlacedTarget) => place));
    if (json.next === undefined) break;
    after = `?after=${json.next}`;
  }
  expect(places).toEqual(Array.from({ length: 2005 }, (_, index) => index));
});

test('creates one undo with the written versions and the versions before', async () => {
  const id = await createRun();
  const before = { version: 1, etag: 'W/"1"' };
  const wrote = (place: number) => ({ ...createTarget(place, 'done'), version: 2, etag: 'W/"2"', before });
  await saveTargets(id, [wrote(0), { ...createTarget(1, 'failed'), detail: 'Refused.' }, wrote(2)]);
  const undo = () => server.send('POST', '/app/bulk', JSON.stringify({ label: 'Undo', undoes: id }));
  await server.send('PUT', `/app/bulk/${id}`, '{"state":"running"}');
  expect((await undo()).status).toBe(422);
  await server.send('PUT', `/app/bulk/${id}`, '{"state":"stopped"}');
  const undoResponse = await undo();
  expect(undoResponse.status).toBe(201);
  expect(matchesSchema(BulkRun, undoResponse.json)).toBe(true);
  expect(undoResponse.json).toMatchObject({ label: 'Undo', operations: [], undoes: id, state: 'stopped' });
  const { json: page } = await server.send('GET', `/app/bulk/${undoResponse.json.id}/targets`);
  expect(page.targets).toEqual([
    { ...wrote(0), state: 'ready' },
    { ...wrote(2), place: 1, state: 'ready' },
  ]);
  expect((await undo()).status).toBe(409);
  expect((await server.send('PUT', `/app/bulk/${id}`, '{"state":"running"}')).status).toBe(422);
});

test('reports the undo of a run until the undo is undone', async () => {
  const id = await createRun();
  await saveTargets(id, [{ ...createTarget(0, 'done'), before: { version: 1 } }]);
  const undoOf = async (undoes: string) => {
    const { json } = await server.send('POST', '/app/bulk', JSON.stringify({ label: 'Undo', undoes }));
    await saveTargets(json.id, [{ ...createTarget(0, 'done'), version: 3, before: { version: 2 } }]);
    return json.id as string;
  };
  const stateOf = async (run: string) => (await server.send('GET', `/app/bulk/${run}`)).json.undo;
  const undo = await undoOf(id);
  expect(await stateOf(id)).toEqual({ run: undo, done: 1, stands: true });
  const secondUndo = await undoOf(undo);
  expect(await stateOf(undo)).toEqual({ run: secondUndo, done: 1, stands: true });
  expect(await stateOf(id)).toEqual({ run: undo, done: 1, stands: false });
});

test('rejects the undo of a run without changes or of a missing run', async () => {
  const id = await createRun();
  await saveTargets(id, [createTarget(0, 'failed')]);
  const undo = (undoes: string) =>
    server.send('POST', '/app/bulk', JSON.stringify({ label: 'Undo', undoes }));
  expect((await undo(id)).status).toBe(422);
  expect((await undo('other')).status).toBe(404);
});

test('removes a run with its targets', async () => {
  const id = await createRun();
  await saveTargets(id, [createTarget(0)]);
  expect((await server.send('DELETE', `/app/bulk/${id}`)).status).toBe(200);
  expect((await server.send('GET', `/app/bulk/${id}`)).status).toBe(404);
  expect((await saveTargets(id, [createTarget(0)])).status).toBe(404);
});

test('rejects an invalid run or target', async () => {
  const id = await createRun();
  for (const body of ['{}', '{"label":"x","operations":[]}', '{"label":"x","operations":[{"path":1}]}']) {
    expect((await server.send('POST', '/app/bulk', body)).status).toBe(400);
  }
  for (const body of ['{}', '[{"place":0}]', JSON.stringify([{ ...createTarget(0), state: 'lost' }])]) {
    expect((await server.send('POST', `/app/bulk/${id}/targets`, body)).status).toBe(400);
  }
  expect((await server.send('PUT', `/app/bulk/${id}`, '{"state":"over"}')).status).toBe(400);
});

test('counts erased records of a run and stores nothing else of them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-bulk-'));
  const workspace = await openWorkspace(join(folder, 'workspace.db'));
  const run = (await workspace.bulk.create(localServer, newRun))?.id ?? '';
  await workspace.bulk.save(run, [createTarget(0), createTarget(1), createTarget(2)]);
  const erasure = { time: new Date(0).toISOString(), who: 'owner', reason: 'Asked for.' };
  workspace.erasures.add({ type: 'CarePlan', id: 'r-1', ...erasure });
  workspace.erasures.removeErasedData();
  expect(await workspace.bulk.find(localServer, run)).toMatchObject({ erased: 1, counts: { ready: 2 } });
  await workspace.close();
  await rm(folder, { recursive: true });
});

test('keeps runs across a restart, up to the limit', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-bulk-'));
  const path = join(folder, 'workspace.db');
  const before = await openWorkspace(path);
  for (let number = 0; number < bulkLimits.runs + 3; number += 1)
    await before.bulk.create(localServer, newRun);
  const [newest] = await before.bulk.list(localServer);
  await before.bulk.save(newest?.id ?? '', [createTarget(0)]);
  await before.close();
  const after = await openWorkspace(path);
  const runs = await after.bulk.list(localServer);
  expect(runs).toHaveLength(bulkLimits.runs);
  expect(runs[0]).toMatchObject({ id: newest?.id, counts: { ready: 1 } });
  await after.close();
  await rm(folder, { recursive: true });
});
