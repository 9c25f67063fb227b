/** What becomes of requests whose connection to the shared store is cut, at each moment of a write. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { StoreUnconfirmedError } from './store/store-error.ts';
import { openPostgresStore } from './store/postgres/postgres-store.ts';
import { cutNetwork, through, type CutNetwork, type Moment } from './testing/cut-network.ts';
import { newComposition } from './testing/new-composition.ts';
import { migratedDatabase, postgresPrograms, type TestDatabase } from './testing/postgres.ts';
import { noLastingFault, startSharedTestServer, type SharedTestServer } from './testing/shared-server.ts';
import { carePlan, sendTo, type Answer } from './testing/test-server.ts';
import { messageCodeOf } from './testing/message-code.ts';

const records = '/fhir-r4/v1/CarePlan';

/** The title of a change that is cut. */
const title = 'Cut here';

/** That a statement ends a transaction, as it is sent. */
const commit = 'COMMIT\0';

describe.skipIf(postgresPrograms() === undefined)(
  'connections to a shared store that are cut (not run without PostgreSQL)',
  () => {
    let [database, network]: [TestDatabase, CutNetwork] = [] as never;
    let [one, other]: [SharedTestServer, SharedTestServer] = [] as never;
    beforeAll(async () => {
      database = await migratedDatabase();
      network = await cutNetwork(database.server);
      one = await startSharedTestServer(through(network, database.server), {}, noLastingFault);
      other = await startSharedTestServer(database.server, {}, noLastingFault);
    });
    afterEach(() => Object.assign(network, { open: true, watch: () => undefined }));
    afterAll(async () => {
      for (const server of [one, other]) await server.remove();
      await network.close();
      await database.remove();
    });

    /** Has the connection that sends a text reset over it, or over the end of its transaction, this once. */
    function cutAt(
      text: string,
      moment: Moment,
      end = text,
      then: () => void = () => undefined,
    ): () => boolean {
      const writing = new WeakSet<object>();
      let cut = false;
      network.watch = (sent, connection) => {
        if (sent.includes(text)) writing.add(connection);
        if (cut || !writing.has(connection) || !sent.includes(end)) return undefined;
        cut = true;
        then();
        return moment;
      };
      return () => cut;
    }

    async function made(): Promise<string> {
      return (await one.send('POST', records, carePlan('Patient/cut'))).json.id as string;
    }

    const put = (id: string, version: number) =>
      one.send('PUT', `${records}/${id}`, carePlan('Patient/cut', `,"id":"${id}","title":"${title}"`), {
        'If-Match': `W/"${version}"`,
      });

    const versions = async (id: string) => (await other.send('GET', `${records}/${id}/_history`)).json.total;

    function expectBusy({ status, headers, json }: Answer, code?: string): void {
      expect([status, headers.get('Retry-After'), json.resourceType]).toEqual([503, '1', 'OperationOutcome']);
      if (code !== undefined) expect(messageCodeOf(json.issue[0])).toBe(code);
    }

    test.each<[string, string, Moment]>([
      ['before its statement comes', title, 'before'],
      ['behind its statement', title, 'behind'],
      ['before its COMMIT comes', commit, 'before'],
    ])('of a change that is cut %s nothing is stored', async (_name, end, moment) => {
      const id = await made();
      const wasCut = cutAt(title, moment, end);
      const answer = await put(id, 1);
      expect(wasCut()).toBe(true);
      // Beside an entry of the trail it was tried again, alone.
      if (answer.status !== 200) expectBusy(answer, 'server.storeBusy');
      expect(await versions(id)).toBe(answer.status === 200 ? 2 : 1);
      // The next request needs no start anew.
      const next = await put(id, answer.status === 200 ? 2 : 1);
      expect(next.status).toBe(200);
      expect((await other.send('GET', `${records}/${id}`)).text).toBe(next.text);
    });

    test('a change whose COMMIT is done and whose answer is cut is confirmed, and stored once', async () => {
      const id = await made();
      const wasCut = cutAt(title, 'behind', commit);
      const answer = await put(id, 1);
      expect([answer.status, answer.headers.get('ETag'), wasCut()]).toEqual([200, 'W/"2"', true]);
      expect((await other.send('GET', `${records}/${id}`)).text).toBe(answer.text);
      expect(await versions(id)).toBe(2);
    });

    test('a change whose COMMIT is done, and nobody can say so, is 503, told as not known, and not tried again', async () => {
      const id = await made();
      cutAt(title, 'behind', commit, () => (network.open = false));
      expectBusy(await put(id, 1), 'server.storeUnsure');
      network.open = true;
      expect(await versions(id)).toBe(2);
      await expect.poll(async () => (await one.send('GET', `${records}/${id}`)).status).toBe(200);
    });

    test('of changes that share a COMMIT which nobody can tell of, none is tried again', async () => {
      const store = await openPostgresStore(through(network, database.server));
      const ids = ['shared-a', 'shared-b'];
      for (const id of ids) await store.insert(newComposition(id, 1, { title: 'First' }));
      cutAt(title, 'behind', commit, () => (network.open = false));
      const changed = ids.map((id) => store.replace(newComposition(id, 2, { title }), 1));
      const ends = await Promise.allSettled(changed);
      network.open = true;
      // A second try would find another version than the one expected, which is no reason to refuse it.
      for (const end of ends) expect(end).toMatchObject({ reason: expect.any(StoreUnconfirmedError) });
      for (const id of ids) {
        const current = async () => (await store.read('Composition', id).catch(() => undefined))?.version;
        await expect.poll(current).toBe(2);
      }
      await store.close();
    });

    test('sessions that the database ends under load cost requests a 503 at most, none what was acknowledged', async () => {
      const end =
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'server' AND datname = current_database()";
      const subjects = Array.from({ length: 30 }, (_, number) => `Patient/ended-${number}`);
      const answers = subjects.map(async (subject, at) => {
        const server = at % 2 === 0 ? one : other;
        const answer = await server.send('POST', records, carePlan(subject));
        if (answer.status !== 201) expectBusy(answer);
        return answer;
      });
      for (let round = 0; round < 3; round += 1) await database.admin((admin) => admin.query(end));
      const stored = await Promise.all(answers);
      for (const server of [one, other]) {
        const status = async () => (await server.send('POST', records, carePlan('Patient/next'))).status;
        await expect.poll(status, { interval: 20 }).toBe(201);
      }
      for (const [at, subject] of subjects.entries()) {
        const found = await one.send('GET', `${records}?subject=${subject}`);
        expect(found.json.total, subject).toBeLessThanOrEqual(1);
        if (stored[at]?.status === 201) expect(found.json.entry?.[0]?.resource.id).toBe(stored[at].json.id);
      }
      expect((await one.send('POST', '/app/audit/verify')).json.broken).toBeUndefined();
    });

    test('what others wrote while a server could not hear them is caught up, and it hears them again', async () => {
      const path = await made();
      network.open = false;
      network.cut();
      const missed = await other.send('POST', '/app/tokens', '{"name":"Missed","scopes":["system/*.rs"]}');
      const stream = await follow(one);
      network.open = true;
      // Who shows records comes again, and reads them anew.
      await stream.ended;
      const status = async () =>
        (await sendTo(one.origin, `Bearer ${missed.json.token}`, 'GET', `${records}?_count=1`)).status;
      await expect.poll(status, { interval: 20 }).toBe(200);
      const again = await follow(one);
      await other.send(
        'PUT',
        `${records}/${path}`,
        carePlan('Patient/cut', `,"id":"${path}","title":"Heard"`),
      );
      await expect.poll(again.said, { interval: 20 }).toContain(path);
      again.leave();
    });
  },
);

/** Reads the stream of changes. */
async function follow({ origin, token }: SharedTestServer) {
  const leave = new AbortController();
  const answer = await fetch(`${origin}/app/changes`, {
    headers: { Authorization: `Bearer ${token}` },
    signal: leave.signal,
  });
  let said = '';
  const read = async () => {
    for await (const text of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) said += text;
  };
  const ended = read().catch((error: unknown) => {
    if (!leave.signal.aborted) throw error;
  });
  return { ended, said: () => said, leave: () => leave.abort() };
}
