/** Counts the statements of servers that nobody uses: work waits for events, and looks for lost ones are rare. */
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect } from './sqlite/sqlite.ts';
import { migratedDatabase, postgresPrograms, type TestDatabase } from './testing/postgres.ts';
import { startSharedTestServer } from './testing/shared-server.ts';
import { carePlan, startTestServer, type TestServer } from './testing/test-server.ts';

const minute = 60_000;

/** Fakes the timers of servers that start from now on. */
function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Lets time pass in steps of half a second, between which statements end. */
async function pass(milliseconds: number, isBusy: () => boolean = () => false): Promise<void> {
  for (let time = 0; time < milliseconds; time += 500) {
    await vi.advanceTimersByTimeAsync(500);
    do await new Promise(setImmediate);
    while (isBusy());
  }
}

/** Lets time pass until the first looks have happened and the work that they found has ended. */
async function settle(count: () => number, leastCount: number, isBusy?: () => boolean): Promise<void> {
  await pass(minute, isBusy);
  const countNext = async () => {
    const previousCount = count();
    await pass(2000, isBusy);
    return count() - previousCount;
  };
  await expect.poll(countNext).toBe(leastCount);
}

/** Writes a record, and opens an event stream of a page. */
async function use({ origin, token, send }: Pick<TestServer, 'origin' | 'token' | 'send'>): Promise<void> {
  expect((await send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/a'))).status).toBe(201);
  const control = new AbortController();
  await fetch(`${origin}/app/changes`, {
    headers: { Authorization: `Bearer ${token}` },
    signal: control.signal,
  });
  onTestFinished(() => control.abort());
}

/** Counts calls of methods of a prototype. */
function countCalls(prototype: object, names: readonly string[]): () => number {
  const spies = names.map((name) => vi.spyOn(prototype as Record<string, () => unknown>, name));
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  return () => spies.reduce((count, spy) => count + spy.mock.calls.length, 0);
}

test('a server of a data folder that nobody uses runs less than one statement in two seconds', async () => {
  fakeTimers();
  const server = await startTestServer();
  onTestFinished(() => server.remove());
  await use(server);
  const database = connect(':memory:');
  const statement = Object.getPrototypeOf(database.prepare('SELECT 1')) as object;
  const countStatements = countCalls(statement, ['run', 'get', 'all', 'iterate']);
  const countMessages = countCalls(Worker.prototype, ['postMessage']);
  database.close();
  await settle(() => countStatements() + countMessages(), 0);
  const [statements, messages] = [countStatements(), countMessages()];
  await pass(minute);
  expect(countStatements() - statements).toBeLessThan(30);
  expect(countMessages() - messages).toBe(0);
});

describe.skipIf(postgresPrograms() === undefined)('a shared store (not run without PostgreSQL)', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await migratedDatabase();
  });
  afterAll(() => database.remove());

  test('a server that nobody uses runs less than two statements in a second', async () => {
    fakeTimers();
    const server = await startSharedTestServer(database.address);
    onTestFinished(() => server.remove());
    await use(server);
    const queries = [pg.Client.prototype, pg.Pool.prototype].map((prototype) => vi.spyOn(prototype, 'query'));
    onTestFinished(() => queries.forEach((query) => query.mockRestore()));
    const isBusy = () =>
      queries.some(({ mock }) => mock.settledResults.some(({ type }) => type === 'incomplete'));
    const countStatements = () => queries[0]?.mock.calls.length ?? 0;
    const countMessages = countCalls(Worker.prototype, ['postMessage']);
    // A read, and the clock of the database.
    await settle(countStatements, 2, isBusy);
    const [statements, messages] = [countStatements(), countMessages()];
    await pass(minute, isBusy);
    expect(countStatements() - statements).toBeLessThan(120);
    // The look of each minute, at its start and its end.
    expect(countMessages() - messages).toBeLessThanOrEqual(2);
  });
});
