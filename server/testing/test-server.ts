/** A real server on real files for tests: a new folder, a free port, a known token. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createToken } from '../access/secret.ts';
import { flags } from '../commands/flags.ts';
import type { Log } from '../log-lines.ts';
import { pageFolder } from '../serve.ts';
import type { ServerSettings } from '../settings.ts';
import type { SharedOptions } from '../shared/start-shared.ts';
import { migratedDatabase } from './postgres.ts';
import { desktopCli, spawnCli } from './run-cli.ts';
import { startServer, type RunningServer, type StartOptions } from '../start.ts';

export interface TestServer extends RunningServer {
  readonly token: string;
  readonly dataDir: string;
  /** Sends a request with the token; the default media type of a body is application/json. */
  send(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<Answer>;
  /** Starts the closed server again on its folder. */
  restart(): Promise<void>;
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

/** Parsed JSON without a type, for assertions only. */
export type Json = any;

/** A log that throws on every line: an error in the log of a server fails the test. */
export const noFault: Log = (line) => {
  throw new Error(`The server logged a fault: ${line}`);
};

/** Wraps a log and rethrows its first error in `end`, because an error that it throws in a request reaches no test. */
export function collectErrors(log: Log): { readonly log: Log; readonly end: () => void } {
  let fault: { readonly error: unknown } | undefined;
  return {
    log(...line) {
      try {
        log(...line);
      } catch (error) {
        fault ??= { error };
      }
    },
    end() {
      if (fault) throw fault.error;
    },
  };
}

/** Creates a log that throws on lines that do not match. */
export const noFaultBut =
  (expected: RegExp): Log =>
  (line) => {
    if (!expected.test(line)) noFault(line);
  };

/** A log that throws on lines other than requests. */
export const noFaultAmongRequests = noFaultBut(/^[A-Z]+ \//);

export async function startTestServer(
  settings: Partial<ServerSettings> = {},
  log: Log = noFault,
  options: Pick<StartOptions, 'systemProxy' | 'clock' | 'readers' | 'atWindow' | 'conformance'> &
    Pick<SharedOptions, 'openId'> = {},
): Promise<TestServer> {
  if (onSharedStore) return overNewStore(settings, log, options);
  if (desktopCli !== undefined) {
    return serverOfTest((testOptions) => serveDesktopBuild(testOptions, settings), log);
  }
  return serverOfTest((testOptions) => startServer({ ...testOptions, settings, ...options }), log);
}

/** Start options that every test server gets. */
interface TestOptions extends Pick<StartOptions, 'dataDir' | 'port' | 'pageFolder' | 'log'> {
  readonly token: string;
}

/** Members that a test adds to a server. */
export type TestParts = Pick<TestServer, 'token' | 'dataDir' | 'send' | 'restart' | 'remove'>;

/** Starts a server with a new folder and token. Its `close` throws if its log did; `onRemoved` runs after that. */
export async function serverOfTest<Server extends Pick<RunningServer, 'origin' | 'close'>>(
  start: (testOptions: TestOptions) => Promise<Server>,
  log: Log = noFault,
  onRemoved: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Server & TestParts> {
  const dataDir = await mkdtemp(join(tmpdir(), 'chartkeeper-test-'));
  const token = createToken();
  const faults = collectErrors(log);
  const testOptions = { dataDir, port: 0, token, pageFolder, log: faults.log };
  let server = await start(testOptions);
  let closing: Promise<void> | undefined;
  let removing: Promise<void> | undefined;
  const close = () => (closing ??= server.close().then(faults.end));
  const remove = async () => {
    try {
      await close();
    } finally {
      await onRemoved();
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
    async restart() {
      server = await start(testOptions);
      closing = undefined;
    },
    remove: () => (removing ??= remove()),
  };
}

/** True if test servers run on a shared store instead of a data folder. */
export const onSharedStore = process.env.CHARTKEEPER_TEST_ENGINE === 'postgres';

/** Starts a test server on a new shared store. */
async function overNewStore(
  settings: Partial<ServerSettings>,
  log: Log,
  { clock, conformance, openId }: Pick<SharedOptions, 'clock' | 'conformance' | 'openId'>,
): Promise<TestServer> {
  const database = await migratedDatabase();
  const optionalParts = {
    ...(clock && { clock }),
    ...(conformance && { conformance }),
    ...(openId && { openId }),
  };
  const options = { settings, address: database.address, ...optionalParts };
  const { startSharedServer } = await import('../shared/start-shared.ts');
  const start = async (testOptions: TestOptions) =>
    (await startSharedServer({ ...testOptions, ...options })) as RunningServer;
  return serverOfTest(start, log, () => database.remove());
}

/** Starts a desktop build. A test has only its address. */
async function serveDesktopBuild(
  { dataDir, token, log }: TestOptions,
  settings: Partial<ServerSettings>,
): Promise<RunningServer> {
  const tokenFile = join(dataDir, 'token');
  await writeFile(tokenFile, token, { mode: 0o600 });
  const settingFlags = Object.entries(settings).flatMap(([key, value]) => {
    const { name, argument } = flags[key as keyof Omit<ServerSettings, 'failureLimit' | 'landings'>];
    return [`--${name}`, ...(argument === undefined ? [] : [String(value)])];
  });
  const ownFlags = ['--port', '0', '--data', dataDir, '--token-file', tokenFile];
  const child = spawnCli(['serve', ...ownFlags, ...settingFlags]);
  if (!child.stdout || !child.stderr) throw new Error('The process has no output.');
  createInterface(child.stderr).on('line', log);
  const ended = once(child, 'exit');
  const lines = createInterface(child.stdout);
  const [line] = await Promise.race([once(lines, 'line'), ended]);
  if (typeof line !== 'string') throw new Error(`The desktop build ended with code ${line}.`);
  const close = async () => {
    child.kill();
    const [code] = await ended;
    if (code !== 0) log(`exit code ${code}`);
  };
  return { origin: line.replace('Chartkeeper listens on ', ''), close } as RunningServer;
}

/** Builds a valid CarePlan; `extra` is JSON text of members at its end. */
export function carePlan(subject: string, extra = ''): string {
  return `{"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"${subject}"}${extra}}`;
}

/** Builds a valid Composition. */
export function composition(subject: string, encounter?: string): string {
  const visit = encounter === undefined ? '' : `,"encounter":{"reference":"${encounter}"}`;
  return `{"resourceType":"Composition","status":"final","type":{"text":"Note"},"subject":{"reference":"${subject}"}${visit},"date":"2026-01-02","author":[{"display":"A"}],"title":"Note"}`;
}

/** Sends a request with an Authorization header, if defined; the default media type of a body is application/json. */
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
