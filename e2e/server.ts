/** Starts the built server as a user would, each time on a folder of its own, and stops it again. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

export const commandLine = resolve(import.meta.dirname, '../dist/server/cli.js');

export interface TestServer {
  readonly origin: string;
  /** For requests past the page. */
  readonly token: string;
  /** The page's address with a code to sign in with: the one that was printed, then others, as each works once. */
  link(): Promise<string>;
  readonly dataDir: string;
  /** What the server has written to its log so far. */
  log(): string;
  stop(): Promise<void>;
  /** Ends the process at once, as a power cut would. */
  kill(): Promise<void>;
}

/** A data folder that is removed with {@link removeDataDir}. */
export function makeDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'chartkeeper-e2e-'));
}

/** Copies what a server left in a folder into another. */
export async function copyDataDir(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
}

export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true });
  await rm(tokenFileOf(dataDir), { force: true });
}

/** Beside the folder, which holds nothing but the product's own files. */
function tokenFileOf(dataDir: string): string {
  return `${dataDir}.token`;
}

/** Starts `serve` on a free port; resolves with what it printed, rejects with its words where it stops instead. */
export async function startTestServer(dataDir: string, flags: readonly string[] = []): Promise<TestServer> {
  const tokenFile = tokenFileOf(dataDir);
  const own = ['--port', '0', '--data', dataDir, '--token-file', tokenFile];
  const child = spawn(process.execPath, [commandLine, 'serve', ...own, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString();
    process.stderr.write(chunk);
  });
  let printed: string | undefined = await printedLink(child);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  const { origin } = new URL(printed);
  const token = (await readFile(tokenFile, 'utf8')).trim();
  return {
    origin,
    token,
    async link() {
      const link = printed ?? (await newLink({ origin, token }));
      printed = undefined;
      return link;
    },
    dataDir,
    log: () => log,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** A link to sign in with, made for whom a token belongs to. */
export async function newLink({ origin, token }: Pick<TestServer, 'origin' | 'token'>): Promise<string> {
  const answer = await fetch(`${origin}/app/sign-in-codes`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: '{}',
  });
  return (await answer.json()).link;
}

async function printedLink(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The server has no standard output.');
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /^Open (\S+)$/.exec(line)?.[1];
    if (address !== undefined) {
      child.stdout.resume();
      return address;
    }
  }
  throw new Error('The server stopped before it printed its link.');
}

/** What the server itself says at an address below the FHIR path, past the page. */
export async function readRecord({ origin, token }: TestServer, path: string): Promise<any> {
  const answer = await fetch(`${origin}/fhir-r4/v1/${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return answer.json();
}

/** The jobs of one kind that stand in the activity log, newest first. */
export async function jobsOf(
  { origin, token }: TestServer,
  kind: string,
): Promise<{ note: string; counts: Record<string, number> }[]> {
  const answer = await fetch(`${origin}/app/activity?kind=${kind}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return (await answer.json()).entries;
}

/** Replaces one element past the page, as another client would. */
export async function patchRecord(
  { origin, token }: TestServer,
  path: string,
  pointer: string,
  value: unknown,
): Promise<void> {
  const answer = await fetch(`${origin}/fhir-r4/v1/${path}`, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify([{ op: 'replace', path: pointer, value }]),
  });
  if (!answer.ok) throw new Error(`The patch was refused with ${answer.status}.`);
}

/** Stores plain Compositions of a few patients past the page, by the import. */
export async function addCompositions({ origin, token }: TestServer, count: number): Promise<void> {
  const line = (at: number) =>
    JSON.stringify({
      resourceType: 'Composition',
      status: 'final',
      type: { text: 'Note' },
      subject: { reference: `Patient/added-${at % 7}` },
      date: `2020-01-${String((at % 28) + 1).padStart(2, '0')}`,
      author: [{ display: 'A' }],
      title: `Added note ${at}`,
    });
  const answer = await fetch(`${origin}/app/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' },
    body: Array.from({ length: count }, (_, at) => line(at)).join('\n'),
  });
  const report = await answer.text();
  if (!report.includes(`"stored":${count}`))
    throw new Error(`The import was not whole: ${report.slice(-200)}`);
}
