import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TrainingDefects, TrainingState, wardAuthor } from '../../core/app/training.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { openRecordStore } from '../store/sqlite/sqlite-store.ts';
import { createClientToken } from '../testing/tokens.ts';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

async function readState() {
  const { json } = await server.send('GET', '/app/training');
  if (!matchesSchema(TrainingState, json)) throw new TypeError('This is no training state.');
  return json;
}

const reset = (otherCount: number) =>
  server.send('POST', '/app/training/reset', JSON.stringify({ others: otherCount }));

describe('the training sets', () => {
  test('loads each set once and counts other records separately', async () => {
    await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/own'));
    expect(await readState()).toMatchObject({ seed: 1, total: 1, others: 1, writer: { running: false } });
    const clean = (await server.send('POST', '/app/training/clean')).json;
    const migration = (await server.send('POST', '/app/training/migration')).json;
    expect((await server.send('POST', '/app/training/migration')).json).toEqual({
      stored: 0,
      unchanged: migration.stored,
    });
    const { sets, total, others: otherCount } = await readState();
    expect(sets.map(({ set, records, loaded }) => [set, records, loaded])).toEqual([
      ['clean', clean.stored, clean.stored],
      ['migration', migration.stored, migration.stored],
      ['busy', clean.stored, clean.stored],
    ]);
    expect([total, otherCount]).toEqual([Number(clean.stored) + Number(migration.stored) + 1, 1]);
  });

  test('finds exactly the defects of the manifest', async () => {
    await server.send('POST', '/app/training/migration');
    const { json } = await server.send('GET', '/app/training/migration/defects');
    if (!matchesSchema(TrainingDefects, json)) throw new TypeError('This is no list of defects.');
    await server.close();
    const store = await openRecordStore(join(server.dataDir, 'records.db'));
    const foundDefects: string[] = [];
    for (const type of ['CarePlan', 'Composition'] as const) {
      const { versions } = await store.history(type, {}, 5000);
      for (const id of new Set([...versions].map((version) => version.id))) {
        for (const { rule, pointer } of (await store.readForUpdate(type, id))?.issues ?? [])
          foundDefects.push(`${id} ${rule} ${pointer}`);
      }
    }
    await store.close();
    expect(foundDefects.sort()).toEqual(
      json.map(({ id, rule, pointer }) => `${id} ${rule} ${pointer}`).sort(),
    );
    server = await startTestServer();
  });

  test('loads after a restore, which raises the version numbers', async () => {
    const backup = (await server.send('POST', '/app/backups')).json;
    const { json } = await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/own'));
    await server.send('PUT', `/fhir-r4/v1/CarePlan/${json.id}`, carePlan('Patient/other'));
    await server.send('POST', `/app/backups/${backup.name}/restore`);
    expect((await server.send('POST', '/app/training/migration')).status).toBe(200);
    await reset(0);
  });

  test('rejects an unknown set with 404', async () => {
    expect((await server.send('POST', '/app/training/dirty')).status).toBe(404);
    expect((await server.send('GET', '/app/training/clean')).status).toBe(405);
  });
});

describe('reset', () => {
  test('moves the records into a private backup and keeps the workspace', async () => {
    await createClientToken(server, ['system/*.r']);
    const { stored: storedCount } = (await server.send('POST', '/app/training/clean')).json;
    const { status, json } = await reset(0);
    expect(status).toBe(200);
    expect(json).toMatchObject({ removed: storedCount, backup: { bytes: expect.any(Number) } });
    expect(await readState()).toMatchObject({ total: 0, others: 0 });
    expect((await server.send('GET', '/fhir-r4/v1/Composition')).json.total).toBe(0);
    expect((await server.send('GET', '/app/tokens')).text).toContain('"name":"test"');

    const folder = join(server.dataDir, 'backups');
    const backups = (await readdir(folder)).filter((name) => name.endsWith('.db'));
    expect(backups.map((name) => join(folder, name))).toEqual([json.backup.path]);
    expect((await stat(json.backup.path)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const copy = await openRecordStore(json.backup.path);
    const counts = Object.values(await copy.count());
    expect(counts[0]).toBe(storedCount - Number(counts[1]));
    await copy.close();

    // The emptied store accepts records again.
    expect((await server.send('POST', '/app/training/clean')).json.stored).toBe(storedCount);
    expect((await server.send('GET', '/fhir-r4/v1/Composition?_count=1')).json.total).toBeGreaterThan(100);
  });

  test('removes other records only if their number is confirmed', async () => {
    await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/own'));
    const rejection = await reset(0);
    expect(rejection.status).toBe(422);
    expect(rejection.text).toContain('1 record is not training data');
    expect(await readState()).toMatchObject({ total: 1 });
    expect((await reset(1)).json.removed).toBe(1);
    expect((await server.send('POST', '/app/training/reset', '{}')).status).toBe(400);
  });
});

describe('the busy ward', () => {
  const writer = (method: string, body?: string) => server.send(method, '/app/training/writer', body);
  const changes = async () => (await readState()).writer.changes;

  test('changes a record at once and continues until it is stopped', async () => {
    await server.send('POST', '/app/training/busy');
    await expect.poll(changes).toBeGreaterThan(0);
    const { ward, writer: writerState } = await readState();
    expect(writerState).toMatchObject({ running: true, seconds: 5 });
    await writer('POST', '{"seconds":1}');
    await expect.poll(changes).toBeGreaterThan(1);
    const stoppedState = (await writer('DELETE')).json;
    expect(stoppedState).toMatchObject({ running: false, seconds: 1 });

    const { versions } = (await server.send('GET', `/app/history/${ward[0]?.type}/${ward[0]?.id}`)).json;
    expect(versions.at(-2)).toMatchObject({ version: 2, operation: 'patch', author: wardAuthor });
  });

  test('leaves no findings', async () => {
    await server.send('POST', '/app/training/busy');
    await writer('POST', '{"seconds":1}');
    await expect.poll(changes).toBeGreaterThan(1);
    const { last: lastChange } = (await readState()).writer;
    const current = await server.send('GET', `/fhir-r4/v1/${lastChange?.type}/${lastChange?.id}`);
    const verdict = await server.send('POST', `/fhir-r4/v1/${lastChange?.type}/$validate`, current.text);
    expect(verdict.json.issue).toMatchObject([{ severity: 'information' }]);
    expect(current.text).toContain('Ward round');
  });

  test('stops on a reset and does not start without its records', async () => {
    await server.send('POST', '/app/training/busy');
    expect((await reset(0)).status).toBe(200);
    expect((await readState()).writer.running).toBe(false);
    expect((await writer('POST', '{"seconds":5}')).status).toBe(422);
    expect((await writer('POST', '{"seconds":0}')).status).toBe(400);
  });
});
