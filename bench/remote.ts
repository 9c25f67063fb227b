/**
 * Measures the worklist of another server at its promised size: `node bench/remote.ts [--records 500000]
 * [--seed 1] [--out FILE]`. The records of the other server are validated while this server is killed once
 * and the other fails once. Prints the waits of requests during and after that. Exit code 1 if a count is
 * wrong or the main thread was blocked too long.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import type { RemoteQuality } from '../core/app/remote-quality.ts';
import { buildBundles, isStale } from '../scripts/build.ts';
import { root } from '../scripts/bundles.ts';
import { performancePage, writeSection } from '../scripts/document.ts';
import { Connection } from './connection.ts';
import { end, launch, type Launched } from './launch.ts';
import { createServeFlags } from './processes.ts';
import { computeExpected, createRemoteTexts, type Expected } from './remote-records.ts';
import {
  createRemoteLines,
  formatRemoteSection,
  formatRemoteTable,
  type RemoteFigures,
  type Waits,
} from './remote-report.ts';
import type { CleanupSteps } from './stores.ts';

/** Requests by title, with their paths and the milliseconds between two requests. */
const overviewProbe = { path: () => '/app/overview', pause: 4 };
const watchedRequests = {
  'another request: the overview': overviewProbe,
  'the worklist: counts': { path: (id: string) => qualityOf(id), pause: 1000 },
  'the worklist: a page of 200': { path: (id: string) => `${qualityOf(id)}/findings`, pause: 1000 },
} as const;

/** Queries after the validation, sent once each while other requests are answered. */
const expensiveQueries = {
  'counts of a text that nothing holds': '?text=nothing+holds+it',
  'a page of a text that nothing holds': '/findings?text=nothing+holds+it',
  'a page of the rarest kind': '/findings?type=Composition&severity=warning&category=plausibility',
} as const;

const log = (line: string) => void process.stderr.write(`${line}\n`);
const qualityOf = (id: string) => `/app/connections/${id}/quality`;

class RequestWatch {
  readonly waits = new Map<string, number[]>();
  memory = 0;
  private readonly server: Launched;
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>[] = [];

  constructor(server: Launched) {
    this.server = server;
  }

  /** Sends a request repeatedly. */
  start(title: string, path: string, pauseMs: number): void {
    this.running.push(this.repeat(title, path, pauseMs));
  }

  async once(title: string, path: string): Promise<void> {
    const connection = await Connection.open(this.server.port);
    await this.ask(connection, title, path);
    connection.close();
  }

  async end(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running);
    const status = await readFile(`/proc/${this.server.child.pid}/status`, 'utf8').catch(() => '');
    this.memory = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) * 1024;
  }

  private async repeat(title: string, path: string, pauseMs: number): Promise<void> {
    const connection = await Connection.open(this.server.port);
    while (!this.stopping.signal.aborted) {
      await this.ask(connection, title, path);
      await setTimeout(pauseMs);
    }
    connection.close();
  }

  private async ask(connection: Connection, title: string, path: string): Promise<void> {
    const { port, token } = this.server;
    const sendTime = performance.now();
    const { status } = await connection.send(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    if (status !== 200) throw new Error(`GET ${path} was answered ${status}.`);
    const requestWaits = this.waits.get(title) ?? [];
    requestWaits.push(performance.now() - sendTime);
    this.waits.set(title, requestWaits);
  }
}

async function send(
  { port, token }: Launched,
  method: string,
  path: string,
  body?: string,
): Promise<unknown> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`);
  return response.json();
}

async function startRemote(seed: number, records: number, cleanupSteps: CleanupSteps) {
  const child = fork(resolve(import.meta.dirname, 'remote-server.ts'), [String(seed), String(records)]);
  cleanupSteps.push(() => end(child, 'SIGKILL'));
  const [base] = (await once(child, 'message')) as [string];
  const sendMessage = async (message: string) => {
    child.send(message);
    const [sentCount] = (await once(child, 'message')) as [number];
    return sentCount;
  };
  return { base, outage: () => void child.send('outage'), sent: () => sendMessage('sent') };
}

async function run(records: number, seed: number, cleanupSteps: CleanupSteps): Promise<RemoteFigures> {
  if (isStale()) await buildBundles(['server']);
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-remote-'));
  cleanupSteps.push(() => rm(folder, { recursive: true, force: true }));
  const expected = await computeExpected(createRemoteTexts(seed), records);
  const remote = await startRemote(seed, records, cleanupSteps);
  let server: Launched;
  const start = async () => {
    server = await launch([resolve(root, 'dist/server/cli.js'), ...createServeFlags(folder)]);
    const { child } = server;
    cleanupSteps.push(() => end(child, 'SIGKILL'));
    return server;
  };
  server = await start();
  const connection = await send(
    server,
    'POST',
    '/app/connections',
    JSON.stringify({ name: 'R', baseUrl: remote.base }),
  );
  const { id } = connection as { id: string };
  const startWatch = (requests: Partial<typeof watchedRequests>) => {
    const requestWatch = new RequestWatch(server);
    for (const [title, { path, pause }] of Object.entries(requests))
      requestWatch.start(title, path(id), pause);
    return requestWatch;
  };
  const waitForShare = async (share: number) => {
    while ((await remote.sent()) < records * share) await setTimeout(200);
  };
  const startTime = performance.now();
  await send(server, 'POST', `${qualityOf(id)}/judge`, '{}');
  const firstWatch = startWatch(watchedRequests);
  await waitForShare(0.4);
  await firstWatch.end();
  await end(server.child, 'SIGKILL');
  log(
    `Killed after ${await remote.sent()} records, ${Math.round((performance.now() - startTime) / 1000)} s.`,
  );
  await start();
  const secondWatch = startWatch(watchedRequests);
  await waitForShare(0.7);
  remote.outage();
  const fetchQuality = async () => (await send(server, 'GET', qualityOf(id))) as RemoteQuality;
  for (let { job } = await fetchQuality(); job.state !== 'done'; { job } = await fetchQuality()) {
    if (job.state === 'failed') throw new Error(job.fault);
    await setTimeout(1000);
  }
  const seconds = (performance.now() - startTime) / 1000;
  await secondWatch.end();
  log(`Judged after ${Math.round(seconds)} s.`);
  const countProblem = findCountProblem(await fetchQuality(), expected);
  const { size } = await stat(join(folder, 'remote', `${id}.db`));
  // Measures a reopened file: the same as after another start of the server.
  await end(server.child, 'SIGTERM');
  await start();
  const restartedWatch = startWatch({ 'another request: the overview': overviewProbe });
  await restartedWatch.once('the worklist: counts, first after a start', qualityOf(id));
  for (let turn = 0; turn < 20; turn += 1) {
    await restartedWatch.once('the worklist: counts', qualityOf(id));
    await restartedWatch.once('the worklist: a page of 200', `${qualityOf(id)}/findings`);
  }
  for (const [title, query] of Object.entries(expensiveQueries))
    await restartedWatch.once(title, qualityOf(id) + query);
  await restartedWatch.end();
  const rereadWatch = startWatch({ 'another request: the overview': overviewProbe });
  await send(server, 'POST', `${qualityOf(id)}/judge`, '{"from":"start"}');
  await setTimeout(20_000);
  await send(server, 'POST', `${qualityOf(id)}/stop`);
  await rereadWatch.end();
  await end(server.child, 'SIGTERM');
  const waitsDuring = [firstWatch, secondWatch].map(({ waits }) => waits);
  return {
    records,
    seconds,
    size,
    countProblem,
    findings: Object.values(expected.findings).reduce((sum, count) => sum + count, 0),
    memory: Math.max(...[firstWatch, secondWatch, restartedWatch].map(({ memory }) => memory)),
    duringWaits: mergeWaits(waitsDuring),
    restartedWaits: restartedWatch.waits,
    rereadWaits: rereadWatch.waits,
  };
}

function mergeWaits(waitLists: readonly Waits[]): Waits {
  const mergedWaits = new Map<string, number[]>();
  for (const waits of waitLists)
    for (const [title, times] of waits) mergedWaits.set(title, [...(mergedWaits.get(title) ?? []), ...times]);
  return mergedWaits;
}

/** Returns a description of unexpected counts, or undefined. */
function findCountProblem(
  { records, flagged: flaggedCounts, groups }: RemoteQuality,
  expected: Expected,
): string | undefined {
  const findings = Object.fromEntries(groups.map((group) => [group.rule, group.findings]));
  const actual = { records, flagged: flaggedCounts, findings };
  if (isDeepStrictEqual(actual, expected)) return undefined;
  return `Counted ${JSON.stringify(actual)} in place of ${JSON.stringify(expected)}.`;
}

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '500000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});
const cleanupSteps: CleanupSteps = [];
const undoAll = async () => {
  for (const undo of cleanupSteps.splice(0).reverse()) await undo();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void undoAll().finally(() => process.exit(1)));
}
try {
  const figures = await run(Number(values.records), Number(values.seed), cleanupSteps);
  process.stdout.write(`${formatRemoteTable(figures)}\n`);
  if (figures.countProblem !== undefined) throw new Error(figures.countProblem);
  const isReached = createRemoteLines(figures).every((line) => line.reached);
  if (values.out !== undefined) {
    const command = ['npx node bench/remote.ts', ...process.argv.slice(2)].join(' ');
    const section = formatRemoteSection(figures, Number(values.seed), command);
    await writeSection(values.out, performancePage, 'Worklist of a remote server', section);
  }
  if (!isReached) log('A target was missed.');
  process.exitCode = isReached ? 0 : 1;
} catch (error) {
  log(`The benchmark failed. ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await undoAll();
}
