/** A real server on a real file for the tests: a folder of its own, a free port, a known token. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToken } from '../access/secret.ts';
import type { Log } from '../log-lines.ts';
import { pageFolder } from '../serve.ts';
import type { ServerSettings } from '../settings.ts';
import { startSharedServer } from '../start-shared.ts';
import { migratedDatabase } from './postgres.ts';
import { startServer, type RunningServer, type StartOptions } from '../start.ts';

export interface TestServer extends RunningServer {
  readonly token: string;
  readonly dataDir: string;
  /** Sends a request with the token; a string body goes as application/json. */
  send(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<Answer>;
  /** Starts it anew on its folder, once it is closed. */
  again(): Promise<void>;
  /** Closes the server and removes its folder. */
  remove(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body. */
  readonly json: Json;
}

/** Parsed JSON, loosely, for assertions alone. */
export type Json = any;

/** A fault in the log of a test's server is a fault of the test. */
export const noFault: Log = (line) => {
  throw new Error(`The server logged a fault: ${line}`);
};

/**
 * The same log, whose faults are thrown at the end too: what a log throws within a request, or behind one, reaches no test.
 */
export function heard(log: Log): { readonly log: Log; readonly end: () => void } {
  let fault: { readonly thrown: unknown } | undefined;
  return {
    log(...line) {
      try {
        log(...line);
      } catch (thrown) {
        fault ??= { thrown };
      }
    },
    end() {
      if (fault) throw fault.thrown;
    },
  };
}

/** The same but for lines that a test expects. */
export const noFaultBut =
  (expected: RegExp): Log =>
  (line) => {
    if (!expected.test(line)) noFault(line);
  };

/** The same where requests are logged too. */
export const noFaultAmongRequests = noFaultBut(/^[A-Z]+ \//);

export async function startTestServer(
  settings: Partial<ServerSettings> = {},
  log: Log = noFault,
  further: Pick<
    StartOptions,
    'systemProxy' | 'clock' | 'readers' | 'atWindow' | 'conformance' | 'openId'
  > = {},
): Promise<TestServer> {
  if (onSharedStore) return overNewStore(settings, log, further);
  return serverOfTest((own) => startServer({ ...own, settings, ...further }), log);
}

/** What a server of a test is started with. */
interface OwnOptions extends Pick<StartOptions, 'dataDir' | 'port' | 'pageFolder' | 'log'> {
  readonly token: string;
}

/** What a test's server has beside what it is. */
export type TestParts = Pick<TestServer, 'token' | 'dataDir' | 'send' | 'again' | 'remove'>;

/** A server with a folder and a token of its own; `removed` is called once it is closed, which fails where its log did. */
export async function serverOfTest<Server extends Pick<RunningServer, 'origin' | 'close'>>(
  start: (own: OwnOptions) => Promise<Server>,
  log: Log = noFault,
  removed: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Server & TestParts> {
  const dataDir = await mkdtemp(join(tmpdir(), 'chartkeeper-test-'));
  const token = createToken();
  const faults = heard(log);
  const own = { dataDir, port: 0, token, pageFolder, log: faults.log };
  let server = await start(own);
  let closing: Promise<void> | undefined;
  let removing: Promise<void> | undefined;
  const close = () => (closing ??= server.close().then(faults.end));
  const remove = async () => {
    try {
      await close();
    } finally {
      await removed();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  return {
    ...server,
    token,
    dataDir,
    get origin() {
      return server.origin;
    },
    send: (...request) => sendTo(server.origin, `Bearer ${token}`, ...request),
    close,
    async again() {
      server = await start(own);
      closing = undefined;
    },
    remove: () => (removing ??= remove()),
  };
}

/** Whether tests have servers over a shared store, which has no parts of a data folder's. */
export const onSharedStore = process.env.CHARTKEEPER_TEST_ENGINE === 'postgres';

/** The same over a database of its own. */
async function overNewStore(
  settings: Partial<ServerSettings>,
  log: Log,
  { clock, conformance, openId }: Pick<StartOptions, 'clock' | 'conformance' | 'openId'>,
): Promise<TestServer> {
  const database = await migratedDatabase();
  const given = { ...(clock && { clock }), ...(conformance && { conformance }), ...(openId && { openId }) };
  const options = { settings, address: database.server, ...given };
  const start = async (own: OwnOptions) => (await startSharedServer({ ...own, ...options })) as RunningServer;
  return serverOfTest(start, log, () => database.remove());
}

/** A CarePlan that conforms, with `extra` JSON members (raw text) at its end. */
export function carePlan(subject: string, extra = ''): string {
  return `{"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"${subject}"}${extra}}`;
}

/** A Composition that conforms. */
export function composition(subject: string, encounter?: string): string {
  const visit = encounter === undefined ? '' : `,"encounter":{"reference":"${encounter}"}`;
  return `{"resourceType":"Composition","status":"final","type":{"text":"Note"},"subject":{"reference":"${subject}"}${visit},"date":"2026-01-02","author":[{"display":"A"}],"title":"Note"}`;
}

/** Sends a request with an Authorization header, none where it is undefined; a string body goes as application/json. */
export async function sendTo(
  origin: string,
  authorization: string | undefined,
  ...[method, path, body, headers = {}]: Parameters<TestServer['send']>
): Promise<Answer> {
  const answer = await fetch(origin + path, {
    method,
    headers: {
      ...(authorization !== undefined && { Authorization: authorization }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    get json(): Json {
      return JSON.parse(text);
    },
  };
}
