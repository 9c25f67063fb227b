/** Starts the built server as a user would, and stops it again. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
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

/** Beside the folder, which holds nothing but the product's own files. */
export function tokenFileOf(dataDir: string): string {
  return `${dataDir}.token`;
}

/**
 * Starts `serve` on a free port; resolves with what it printed, rejects with its words where it stops instead. Its token is
 * that of the folder named last.
 */
export async function startAlone(
  dataDir: string,
  flags: readonly string[] = [],
  ofToken = dataDir,
): Promise<TestServer> {
  const tokenFile = tokenFileOf(ofToken);
  const own = ['--port', '0', '--data', dataDir, '--token-file', tokenFile];
  const child = spawn(process.execPath, [commandLine, 'serve', ...own, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString();
    process.stderr.write(chunk);
  });
  const { origin, link } = await printedLines(child);
  let printed: string | undefined = link;
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
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

/** Where it listens, and the link: which leads elsewhere where people reach it so. */
async function printedLines(child: ChildProcess): Promise<{ origin: string; link: string }> {
  if (!child.stdout) throw new Error('The server has no standard output.');
  let origin = '';
  for await (const line of createInterface({ input: child.stdout })) {
    const [, word, address = ''] = /^(Chartkeeper listens on|Open) (\S+)$/.exec(line) ?? [];
    if (word === 'Open') {
      child.stdout.resume();
      return { origin, link: address };
    }
    if (word !== undefined) origin = address;
  }
  throw new Error('The server stopped before it printed its link.');
}
