/** Starts the built server as a user would, and stops it again. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

export const commandLine = resolve(import.meta.dirname, '../dist/server/cli.js');

export interface TestServer {
  readonly origin: string;
  /** For requests through the API. */
  readonly token: string;
  /**
   * Returns the address of the page with a sign-in code: first the printed one, then new ones, because each
   * works once.
   */
  link(): Promise<string>;
  readonly dataDir: string;
  /** Returns the server's log so far. */
  log(): string;
  stop(): Promise<void>;
  /** Ends the process at once, like a power cut. */
  kill(): Promise<void>;
}

/** Returns the path of the token file, outside the folder, which contains only files of the product. */
export function getTokenFile(dataDir: string): string {
  return `${dataDir}.token`;
}

/**
 * Starts `serve` on a free port. Resolves with its printed addresses, and rejects with its message if it
 * stops. The token belongs to the last folder.
 */
export async function startAlone(
  dataDir: string,
  flags: readonly string[] = [],
  ofToken = dataDir,
): Promise<TestServer> {
  const tokenFile = getTokenFile(ofToken);
  const ownFlags = ['--port', '0', '--data', dataDir, '--token-file', tokenFile];
  const child = spawn(process.execPath, [commandLine, 'serve', ...ownFlags, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString();
    process.stderr.write(chunk);
  });
  const { origin, link } = await readPrintedLines(child);
  let printedLink: string | undefined = link;
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
      const link = printedLink ?? (await newLink({ origin, token }));
      printedLink = undefined;
      return link;
    },
    dataDir,
    log: () => log,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** Returns a new sign-in link of the owner of a token. */
export async function newLink({ origin, token }: Pick<TestServer, 'origin' | 'token'>): Promise<string> {
  const answer = await fetch(`${origin}/app/sign-in-codes`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: '{}',
  });
  return (await answer.json()).link;
}

/**
 * Reads the listening address and the link. The link differs if people reach the server through another
 * address.
 */
async function readPrintedLines(child: ChildProcess): Promise<{ origin: string; link: string }> {
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
