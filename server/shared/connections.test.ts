/** Tests requests whose connection to the shared store breaks at each moment of a write. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { StoreUnconfirmedError } from '../store/store-error.ts';
import { openPostgresStore } from './postgres/postgres-store.ts';
import { cutNetwork, through, type CutNetwork, type Moment } from '../testing/cut-network.ts';
import { newComposition } from '../testing/new-composition.ts';
import { migratedDatabase, postgresPrograms, type TestDatabase } from '../testing/postgres.ts';
import { noLastingFault, startSharedTestServer, type SharedTestServer } from '../testing/shared-server.ts';
import { carePlan, sendTo, type Answer } from '../testing/test-server.ts';
import { messageCodeOf } from '../testing/message-code.ts';

const records = '/fhir-r4/v1/CarePlan';

/** Title of a change whose connection breaks. */
const title = 'Cut here';

/** Bytes of the statement that ends a transaction. */
const commit = 'COMMIT\0';

describe.skipIf(postgresPrograms() === undefined)(
  'broken connections to a shared store (not run without PostgreSQL)',
  () => {
    let [database, network]: [TestDatabase, CutNetwork] = [] as never;
    let [firstServer, secondServer]: [SharedTestServer, SharedTestServer] = [] as never;
    beforeAll(async () => {
      database = await migratedDatabase();
      network = await cutNetwork(database.address);
      firstServer = await startSharedTestServer(through(network, database.address), {}, noLastingFault);
      secondServer = await startSharedTestServer(database.address, {}, noLastingFault);
    });
    afterEach(() => Object.assign(network, { open: true, watch: () => undefined }));
    afterAll(async () => {
      for (const server of [firstServer, secondServer]) await server.remove();
      await network.close();
      await database.remove();
    });

    /** Resets the connection that sends a text, once, at that text or at the end of its transaction. */
    function cutAt(
      text: string,
      moment: Moment,
      end = text,
      onCut: () => void = () => undefined,
    ): () => boolean {
      const writingConnections = new WeakSet<object>();
      let cut = false;
      network.watch = (bytes, connection) => {
        if (bytes.includes(text)) writingConnections.add(connection);
        if (cut || !writingConnections.has(connection) || !bytes.includes(end)) return undefined;
        cut = true;
        onCut();
        return moment;
      };
      return () => cut;
    }

    async function createRecord(): Promise<string> {
      return (await firstServer.send('POST', records, carePlan('Patient/cut'))).json.id as string;
    }

    const updateTitle = (id: string, version: number) =>
      firstServer.send(
        'PUT',
        `${records}/${id}`,
        carePlan('Patient/cut', `,"id":"${id}","title":"${title}"`),
        {
          'If-Match': `W/"${version}"`,
        },
      );

    const countVersions = async (id: string) =>
      (await secondServer.send('GET', `${records}/${id}/_history`)).json.total;

    function expectBusy({ status, headers, json }: Answer, code?: string): void {
      expect([status, headers.get('Retry-After'), json.resourceType]).toEqual([503, '1', 'OperationOutcome']);
      if (code !== undefined) expect(messageCodeOf(json.issue[0])).toBe(code);
    }

    test.each<[string, string, Moment]>([
      ['before its statement', title, 'before'],
      ['after its statement', title, 'behind'],
      ['before its COMMIT', commit, 'before'],
    ])('stores nothing of a change whose connection breaks %s', async (_name, end, moment) => {
      const id = await createRecord();
      const wasCut = cutAt(title, moment, end);
      const answer = await updateTitle(id, 1);
      expect(wasCut()).toBe(true);
      // A write that shared a batch with an audit entry was retried separately.
      if (answer.status !== 200) expectBusy(answer, 'server.storeBusy');
      expect(await countVersions(id)).toBe(answer.status === 200 ? 2 : 1);
      // The next request needs no restart.
      const next = await updateTitle(id, answer.status === 200 ? 2 : 1);
      expect(next.status).toBe(200);
      expect((await secondServer.send('GET', `${records}/${id}`)).text).toBe(next.text);
    });

    test('confirms a change whose COMMIT succeeded without a response, and stores it once', async () => {
      const id = await createRecord();
      const wasCut = cutAt(title, 'behind', commit);
      const answer = await updateTitle(id, 1);
      expect([answer.status, answer.headers.get('ETag'), wasCut()]).toEqual([200, 'W/"2"', true]);
      expect((await secondServer.send('GET', `${records}/${id}`)).text).toBe(answer.text);
      expect(await countVersions(id)).toBe(2);
    });

    test('responds 503 without a retry if the result of a COMMIT is unknown', async () => {
      const id = await createRecord();
      cutAt(title, 'behind', commit, () => (network.open = false));
      expectBusy(await updateTitle(id, 1), 'server.storeUnsure');
      network.open = true;
      expect(await countVersions(id)).toBe(2);
      await expect.poll(async () => (await firstServer.send('GET', `${records}/${id}`)).status).toBe(200);
    });

    test('retries no change of a shared COMMIT with an unknown result', async () => {
      const store = await openPostgresStore(through(network, database.address));
      const ids = ['shared-a', 'shared-b'];
      for (const id of ids) await store.insert(newComposition(id, 1, { title: 'First' }));
      cutAt(title, 'behind', commit, () => (network.open = false));
      const changes = ids.map((id) => store.replace(newComposition(id, 2, { title }), 1));
      const results = await Promise.allSettled(changes);
      network.open = true;
      // A retry would fail with a version conflict, although the first try succeeded.
      for (const result of results)
        expect(result).toMatchObject({ reason: expect.any(StoreUnconfirmedError) });
      for (const id of ids) {
        const current = async () => (await store.read('Composition', id).catch(() => undefined))?.version;
        await expect.poll(current).toBe(2);
      }
      await store.close();
    });

    test('loses no acknowledged write if the database ends sessions under load', async () => {
      const terminateSessionsSql =
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'server' AND datname = current_database()";
      const subjects = Array.from({ length: 30 }, (_, number) => `Patient/ended-${number}`);
      const answers = subjects.map(async (subject, index) => {
        const server = index % 2 === 0 ? firstServer : secondServer;
        const answer = await server.send('POST', records, carePlan(subject));
        if (answer.status !== 201) expectBusy(answer);
        return answer;
      });
      for (let round = 0; round < 3; round += 1)
        await database.admin((admin) => admin.query(terminateSessionsSql));
      const responses = await Promise.all(answers);
      for (const server of [firstServer, secondServer]) {
        const status = async () => (await server.send('POST', records, carePlan('Patient/next'))).status;
        await expect.poll(status, { interval: 20 }).toBe(201);
      }
      for (const [index, subject] of subjects.entries()) {
        const matches = await firstServer.send('GET', `${records}?subject=${subject}`);
        expect(matches.json.total, subject).toBeLessThanOrEqual(1);
        if (responses[index]?.status === 201)
          expect(matches.json.entry?.[0]?.resource.id).toBe(responses[index].json.id);
      }
      expect((await firstServer.send('POST', '/app/audit/verify')).json.broken).toBeUndefined();
    });

    test('catches up on writes of other servers after a connection loss', async () => {
      const recordId = await createRecord();
      network.open = false;
      network.cut();
      const missedToken = await secondServer.send(
        'POST',
        '/app/tokens',
        '{"name":"Missed","scopes":["system/*.rs"]}',
      );
      const stream = await follow(firstServer);
      network.open = true;
      // The stream ends so that pages reconnect and reload records.
      await stream.end;
      const status = async () =>
        (await sendTo(firstServer.origin, `Bearer ${missedToken.json.token}`, 'GET', `${records}?_count=1`))
          .status;
      await expect.poll(status, { interval: 20 }).toBe(200);
      const nextStream = await follow(firstServer);
      await secondServer.send(
        'PUT',
        `${records}/${recordId}`,
        carePlan('Patient/cut', `,"id":"${recordId}","title":"Heard"`),
      );
      await expect.poll(nextStream.getReceivedText, { interval: 20 }).toContain(recordId);
      nextStream.leave();
    });
  },
);

/** Follows the change stream of a server. */
async function follow({ origin, token }: SharedTestServer) {
  const abortController = new AbortController();
  const answer = await fetch(`${origin}/app/changes`, {
    headers: { Authorization: `Bearer ${token}` },
    signal: abortController.signal,
  });
  let receivedText = '';
  const readStream = async () => {
    for await (const text of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) receivedText += text;
  };
  const end = readStream().catch((error: unknown) => {
    if (!abortController.signal.aborted) throw error;
  });
  return { end, getReceivedText: () => receivedText, leave: () => abortController.abort() };
}
