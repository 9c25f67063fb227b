/**
 * The worklist of another server at its promised size: `node bench/remote.ts [--records 500000] [--seed 1] [--out FILE]`.
 * Another server's records are judged while this one is killed once and the other one fails once. Prints how long
 * requests waited meanwhile and behind it. Exit code 1 where a count is wrong or the answering thread was held too long.
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
import { servingFlags } from './processes.ts';
import { expectedOf, remoteTexts, type Expected } from './remote-records.ts';
import { remoteLines, remoteSection, remoteTable, type RemoteFigures, type Waits } from './remote-report.ts';
import type { Cleanup } from './stores.ts';

/** Addresses that are asked for, by what they stand for, with the milliseconds between two requests. */
const overview = { path: () => '/app/overview', pause: 4 };
const watched = {
  'another request: the overview': overview,
  'the worklist: counts': { path: (id: string) => qualityOf(id), pause: 1000 },
  'the worklist: a page of 200': { path: (id: string) => `${qualityOf(id)}/findings`, pause: 1000 },
} as const;

/** What is asked for behind it, once each, while other requests are answered. */
const dear = {
  'counts of a text that nothing holds': '?text=nothing+holds+it',
  'a page of a text that nothing holds': '/findings?text=nothing+holds+it',
  'a page of the rarest kind': '/findings?type=Composition&severity=warning&category=plausibility',
} as const;

const log = (line: string) => void process.stderr.write(`${line}\n`);
const qualityOf = (id: string) => `/app/connections/${id}/quality`;

class Watch {
  readonly waits = new Map<string, number[]>();
  memory = 0;
  private readonly server: Launched;
  private readonly ended = new AbortController();
  private readonly running: Promise<void>[] = [];

  constructor(server: Launched) {
    this.server = server;
  }

  /** Asks for an address again and again. */
  start(what: string, path: string, pause: number): void {
    this.running.push(this.repeat(what, path, pause));
  }

  async once(what: string, path: string): Promise<void> {
    const connection = await Connection.open(this.server.port);
    await this.ask(connection, what, path);
    connection.close();
  }

  async end(): Promise<void> {
    this.ended.abort();
    await Promise.all(this.running);
    const status = await readFile(`/proc/${this.server.child.pid}/status`, 'utf8').catch(() => '');
    this.memory = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) * 1024;
  }

  private async repeat(what: string, path: string, pause: number): Promise<void> {
    const connection = await Connection.open(this.server.port);
    while (!this.ended.signal.aborted) {
      await this.ask(connection, what, path);
      await setTimeout(pause);
    }
    connection.close();
  }

  private async ask(connection: Connection, what: string, path: string): Promise<void> {
    const { port, token } = this.server;
    const sent = performance.now();
    const { status } = await connection.send(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    if (status !== 200) throw new Error(`GET ${path} was answered ${status}.`);
    const waits = this.waits.get(what) ?? [];
    waits.push(performance.now() - sent);
    this.waits.set(what, waits);
  }
}

async function send(
  { port, token }: Launched,
  method: string,
  path: string,
  body?: string,
): Promise<unknown> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...{ method, headers },
    ...(body !== undefined && { body }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function startRemote(seed: number, records: number, cleanup: Cleanup) {
  const child = fork(resolve(import.meta.dirname, 'remote-server.ts'), [String(seed), String(records)]);
  cleanup.push(() => end(child, 'SIGKILL'));
  const [base] = (await once(child, 'message')) as [string];
  const ask = async (what: string) => {
    child.send(what);
    const [sent] = (await once(child, 'message')) as [number];
    return sent;
  };
  return { base, outage: () => void child.send('outage'), sent: () => ask('sent') };
}

async function run(records: number, seed: number, cleanup: Cleanup): Promise<RemoteFigures> {
  if (isStale()) await buildBundles(['server']);
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-remote-'));
  cleanup.push(() => rm(folder, { recursive: true, force: true }));
  const expected = await expectedOf(remoteTexts(seed), records);
  const remote = await startRemote(seed, records, cleanup);
  let server: Launched;
  const start = async () => {
    server = await launch([resolve(root, 'dist/server/cli.js'), ...servingFlags(folder)]);
    const { child } = server;
    cleanup.push(() => end(child, 'SIGKILL'));
    return server;
  };
  server = await start();
  const made = await send(
    server,
    'POST',
    '/app/connections',
    JSON.stringify({ name: 'R', baseUrl: remote.base }),
  );
  const { id } = made as { id: string };
  const watch = (all: Partial<typeof watched>) => {
    const one = new Watch(server);
    for (const [what, { path, pause }] of Object.entries(all)) one.start(what, path(id), pause);
    return one;
  };
  const until = async (share: number) => {
    while ((await remote.sent()) < records * share) await setTimeout(200);
  };
  const begun = performance.now();
  await send(server, 'POST', `${qualityOf(id)}/judge`, '{}');
  const first = watch(watched);
  await until(0.4);
  await first.end();
  await end(server.child, 'SIGKILL');
  log(`Killed after ${await remote.sent()} records, ${Math.round((performance.now() - begun) / 1000)} s.`);
  await start();
  const second = watch(watched);
  await until(0.7);
  remote.outage();
  const quality = async () => (await send(server, 'GET', qualityOf(id))) as RemoteQuality;
  for (let { job } = await quality(); job.state !== 'done'; { job } = await quality()) {
    if (job.state === 'failed') throw new Error(job.fault);
    await setTimeout(1000);
  }
  const seconds = (performance.now() - begun) / 1000;
  await second.end();
  log(`Judged after ${Math.round(seconds)} s.`);
  const wrong = wrongCounts(await quality(), expected);
  const { size } = await stat(join(folder, 'remote', `${id}.db`));
  // What is opened again is looked at: as another start of the server finds it.
  await end(server.child, 'SIGTERM');
  await start();
  const behind = watch({ 'another request: the overview': overview });
  await behind.once('the worklist: counts, first after a start', qualityOf(id));
  for (let turn = 0; turn < 20; turn += 1) {
    await behind.once('the worklist: counts', qualityOf(id));
    await behind.once('the worklist: a page of 200', `${qualityOf(id)}/findings`);
  }
  for (const [what, query] of Object.entries(dear)) await behind.once(what, qualityOf(id) + query);
  await behind.end();
  const again = watch({ 'another request: the overview': overview });
  await send(server, 'POST', `${qualityOf(id)}/judge`, '{"from":"start"}');
  await setTimeout(20_000);
  await send(server, 'POST', `${qualityOf(id)}/stop`);
  await again.end();
  await end(server.child, 'SIGTERM');
  const during = [first, second].map(({ waits }) => waits);
  return {
    ...{
      records,
      seconds,
      size,
      wrong,
      findings: Object.values(expected.findings).reduce((sum, one) => sum + one, 0),
    },
    memory: Math.max(...[first, second, behind].map(({ memory }) => memory)),
    during: merged(during),
    behind: behind.waits,
    again: again.waits,
  };
}

function merged(all: readonly Waits[]): Waits {
  const found = new Map<string, number[]>();
  for (const waits of all)
    for (const [what, times] of waits) found.set(what, [...(found.get(what) ?? []), ...times]);
  return found;
}

/** What was counted otherwise than expected. */
function wrongCounts({ records, flagged, groups }: RemoteQuality, expected: Expected): string | undefined {
  const findings = Object.fromEntries(groups.map((group) => [group.rule, group.findings]));
  const counted = { records, flagged, findings };
  if (isDeepStrictEqual(counted, expected)) return undefined;
  return `Counted ${JSON.stringify(counted)} in place of ${JSON.stringify(expected)}.`;
}

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '500000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});
const cleanup: Cleanup = [];
const undoAll = async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void undoAll().finally(() => process.exit(1)));
}
try {
  const figures = await run(Number(values.records), Number(values.seed), cleanup);
  process.stdout.write(`${remoteTable(figures)}\n`);
  if (figures.wrong !== undefined) throw new Error(figures.wrong);
  const reached = remoteLines(figures).every((line) => line.reached);
  if (values.out !== undefined) {
    const command = ['npx node bench/remote.ts', ...process.argv.slice(2)].join(' ');
    const section = remoteSection(figures, Number(values.seed), command);
    await writeSection(values.out, performancePage, 'The worklist of another server', section);
  }
  if (!reached) log('A target was missed.');
  process.exitCode = reached ? 0 : 1;
} catch (error) {
  log(`The benchmark failed. ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await undoAll();
}
