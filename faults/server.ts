import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { end, launch } from '../bench/launch.ts';
import { servingFlags, type Server } from '../bench/processes.ts';
import { root } from '../scripts/bundles.ts';

/** The command line as it ships. */
export const builtCommandLine = resolve(root, 'dist/server/cli.js');

export interface StartOptions {
  /** Another build's command line. */
  readonly commandLine?: string;
  /** Beside this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeFlags?: readonly string[];
  /** A program with its first parameters that starts Node, such as a control group's. */
  readonly starter?: readonly string[];
  /** Flags of `serve`. */
  readonly flags?: readonly string[];
}

/** The built server in a process of its own, to be broken. */
export interface FaultServer extends Server {
  readonly pid: number;
  /** As `kill -9`: nothing is finished, nothing is closed. Resolves once the process is gone. */
  kill(): Promise<void>;
  /** What it wrote to stderr so far. */
  readonly said: () => string;
  /** Resolves with its exit code once it ended by whatever cause; null where a signal ended it. */
  readonly ended: Promise<number | null>;
}

const running = new Map<ChildProcess, string>();

/** Kills the servers of data folders below a folder that a case left behind. */
export async function endServersBelow(folder: string): Promise<void> {
  const left = [...running].filter(([, dataDir]) => dataDir.startsWith(folder));
  await Promise.all(left.map(([child]) => end(child, 'SIGKILL')));
}

/** Starts the built server on a data folder; rejects with LaunchFault where it ends before it listens. */
export async function startServer(
  dataDir: string,
  { commandLine = builtCommandLine, env = {}, nodeFlags = [], starter, flags = [] }: StartOptions = {},
): Promise<FaultServer> {
  const args = [...nodeFlags, commandLine, ...servingFlags(dataDir), ...flags];
  const { child, port, token, said } = await launch(args, {
    env: { ...process.env, ...env },
    quiet: true,
    starter,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('A server has no process.');
  running.set(child, dataDir);
  const ended = once(child, 'exit').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return {
    ...{ port, token, pid, said, ended },
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a request with the owner's token; a body goes as JSON. Rejects where no whole answer came. */
export async function send(
  { port, token }: Pick<Server, 'port' | 'token'>,
  method: string,
  path: string,
  body?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
