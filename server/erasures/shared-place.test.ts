/** What servers over one store promise of an erasure beside what each of them does (erasure-routes.test.ts). */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../store/postgres/migrate.ts';
import { emptied, testDatabase } from '../testing/postgres.ts';
import { startSharedTestServer, type SharedTestServer } from '../testing/shared-server.ts';
import { carePlan } from '../testing/test-server.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const plans = '/fhir-r4/v1/CarePlan';
const canary = 'zymurgyword';

/** Files below a folder in which the canary stands. */
function filesWithCanary(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesWithCanary(path);
    return readFileSync(path, 'latin1').toLowerCase().includes(canary) ? [name] : [];
  });
}

const draftOf = (id: string) => ({
  ...{ type: 'CarePlan', recordId: id, title: canary, window: 'w', base: canary, text: canary },
});

describe.skipIf(!database)('an erasure at one server (not run where PostgreSQL is not installed)', () => {
  const { server: address = '', admin } = database ?? {};
  beforeEach(async () => {
    if (database) await emptied(database);
  });

  async function servers(count: number): Promise<SharedTestServer[]> {
    const all = await Promise.all(Array.from({ length: count }, () => startSharedTestServer(address)));
    onTestFinished(async () => {
      for (const one of all) await one.remove();
    });
    return all;
  }

  const create = async ({ send }: SharedTestServer) =>
    String((await send('POST', plans, carePlan('Patient/p', `,"title":"${canary}"`))).json.id);
  const erase = ({ send }: SharedTestServer, id: string) =>
    send('POST', '/app/erasures', JSON.stringify({ type: 'CarePlan', id, reason: 'Asked for.' }));
  /** Resolves once a server's finder knows the record. */
  const indexed = ({ send }: SharedTestServer) =>
    expect
      .poll(async () => (await send('GET', `/app/find?q=${canary}`)).json)
      .toMatchObject({ behind: 0, records: [{}] });

  test('is one at the others, whose folders have nothing of the record, as has one that was down meanwhile', async () => {
    const [one, other, down] = await servers(3);
    if (!one || !other || !down) throw new Error('No servers.');
    const id = await create(one);
    expect((await one.send('PUT', '/app/drafts/d-1', JSON.stringify(draftOf(id)))).status).toBe(200);
    for (const at of [one, other, down]) {
      await indexed(at);
      await expect.poll(() => filesWithCanary(at.dataDir).join(' ')).toContain('workspace');
    }
    await down.close();
    expect(filesWithCanary(down.dataDir)).toEqual(expect.arrayContaining(['text.db', 'workspace.db']));
    const done = await erase(one, id);
    expect([done.status, done.json]).toMatchObject([201, { id, backups: [], unseen: null }]);
    expect(filesWithCanary(one.dataDir)).toEqual([]);
    await expect.poll(() => filesWithCanary(other.dataDir)).toEqual([]);
    expect((await other.send('GET', `${plans}/${id}`)).status).toBe(410);
    expect((await other.send('GET', '/app/erasures')).json).toEqual({ erasures: [done.json] });
    expect((await other.send('GET', '/app/drafts')).json).toEqual([]);
    expect((await other.send('GET', `/app/find?q=${canary}`)).json.records).toEqual([]);
    expect((await erase(other, id)).json).toEqual(done.json);
    await down.again();
    expect(filesWithCanary(down.dataDir)).toEqual([]);
    expect((await down.send('GET', `${plans}/${id}`)).status).toBe(410);
    expect((await other.send('POST', '/app/audit/verify')).json.broken).toBeUndefined();
  });

  test('leaves no word of a record, or of a patient, in any table', async () => {
    const [one] = await servers(1);
    if (!one) throw new Error('No servers.');
    const tablesWithCanary = async () => {
      const tables = await admin?.((client) =>
        client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'chartkeeper' ORDER BY tablename"),
      );
      const found: string[] = [];
      for (const { tablename } of tables?.rows ?? []) {
        const hex = Buffer.from(canary).toString('hex');
        const text = `SELECT 1 FROM chartkeeper."${tablename}" t WHERE t::text ~ $1 LIMIT 1`;
        const rows = await admin?.((client) => client.query(text, [`${canary}|${hex}`]));
        if (rows?.rows.length) found.push(String(tablename));
      }
      return found;
    };
    const id = await create(one);
    const person = `{"resourceType":"Patient","id":"p1","name":[{"text":"${canary}"}]}`;
    const visit = `{"resourceType":"Encounter","id":"e1","subject":{"reference":"Patient/p1","display":"${canary}"}}`;
    const type = { 'Content-Type': 'application/x-ndjson' };
    await one.send('POST', '/app/import', `${person}\n${visit}`, type);
    expect((await one.send('PUT', '/app/drafts/d-1', JSON.stringify(draftOf(id)))).status).toBe(200);
    const record = { type: 'CarePlan', id, title: canary };
    const tabs = [
      { kind: 'record', record },
      { kind: 'patient', patient: { id: 'p1', name: canary } },
    ];
    await one.send('PUT', '/app/session', JSON.stringify({ tabs, active: 0, recent: [record] }));
    await expect
      .poll(tablesWithCanary)
      .toEqual(expect.arrayContaining(['companion', 'version', 'workspace']));
    expect((await erase(one, id)).status).toBe(201);
    const sent = JSON.stringify({ type: 'Patient', id: 'p1', reason: 'Asked for.' });
    expect((await one.send('POST', '/app/erasures', sent)).status).toBe(201);
    await expect.poll(tablesWithCanary).toEqual([]);
    expect(filesWithCanary(one.dataDir)).toEqual([]);
  });

  test('takes along what a server shares of the record that has not heard of it yet', async () => {
    const [one, other] = await servers(2);
    if (!one || !other) throw new Error('No servers.');
    const id = await create(one);
    await erase(one, id);
    await expect.poll(async () => (await other.send('GET', `${plans}/${id}`)).status).toBe(410);
    const late = {
      ...{ server: '', id: 'd-9', type: 'CarePlan', record: id, title: canary },
      window: 'w',
      saved: 1,
    };
    const body = JSON.stringify({
      ...late,
      base_version: null,
      base_etag: null,
      base: '""',
      text: `"${canary}"`,
    });
    await admin?.((client) =>
      client.query(
        `INSERT INTO chartkeeper.workspace VALUES ('draft', '["d-9"]', $1, nextval('chartkeeper.workspace_stamp'), 0)`,
        [body],
      ),
    );
    const left = async () =>
      (await admin?.((client) => client.query("SELECT body FROM chartkeeper.workspace WHERE name = 'draft'")))
        ?.rows;
    await expect.poll(left).toEqual([{ body: null }]);
    for (const { dataDir } of [one, other]) await expect.poll(() => filesWithCanary(dataDir)).toEqual([]);
  });

  test('and an import of the same at another, in the same moment, end in an erased record', async () => {
    const [one, other] = await servers(2);
    if (!one || !other) throw new Error('No servers.');
    for (let round = 0; round < 8; round += 1) {
      const id = await create(one);
      const { text } = await one.send('GET', `${plans}/${id}`);
      const changed = text.replace(canary, 'another');
      const [erased] = await Promise.all([
        erase(one, id),
        ...Array.from({ length: 4 }, () =>
          other.send('POST', '/app/import?keepIds=true', changed, { 'Content-Type': 'application/x-ndjson' }),
        ),
      ]);
      expect(erased.status).toBe(201);
      expect((await one.send('GET', `${plans}/${id}`)).status).toBe(410);
    }
    expect((await one.send('GET', '/app/overview')).json.counts.CarePlan).toBe(0);
  });
});
