import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { end, launch } from '../bench/launch.ts';
import { createServeFlags, type Server } from '../bench/processes.ts';
import { root } from '../scripts/bundles.ts';

/** The command line as it ships. */
export const builtCommandLine = resolve(root, 'dist/server/cli.js');

export interface StartOptions {
  /** Command line of another build. */
  readonly commandLine?: string;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeFlags?: readonly string[];
  /** A program that starts Node, such as the program of a control group, with its first parameters. */
  readonly starter?: readonly string[];
  /** Flags of `serve`. */
  readonly flags?: readonly string[];
}

/** The built server in its own process, to be broken. */
export interface FaultServer extends Server {
  readonly pid: number;
  /** Kills like `kill -9`: nothing is finished or closed. Resolves at the end of the process. */
  kill(): Promise<void>;
  /** Returns its stderr so far. */
  readonly stderr: () => string;
  /** Resolves with its exit code at its end, or with null if a signal ended it. */
  readonly exitCode: Promise<number | null>;
}

const running = new Map<ChildProcess, string>();

/** Kills the servers that a case left running on data folders below a folder. */
export async function killServersBelow(folder: string): Promise<void> {
  const leftovers = [...running].filter(([, dataDir]) => dataDir.startsWith(folder));
  await Promise.all(leftovers.map(([child]) => end(child, 'SIGKILL')));
}

/**
 * Starts the built server on a data folder.
 *
 * @throws LaunchError if it ends before it listens.
 */
export async function startServer(
  dataDir: string,
  { commandLine = builtCommandLine, env = {}, nodeFlags = [], starter, flags = [] }: StartOptions = {},
): Promise<FaultServer> {
  const args = [...nodeFlags, commandLine, ...createServeFlags(dataDir), ...flags];
  const { child, port, token, stderr } = await launch(args, {
    env: { ...process.env, ...env },
    quiet: true,
    starter,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('A server has no process.');
  running.set(child, dataDir);
  const exitCode = once(child, 'exit').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return {
    port,
    token,
    pid,
    stderr,
    exitCode,
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a request with the owner's token and a JSON body. Rejects if no complete response arrives. */
export async function send(
  { port, token }: Pick<Server, 'port' | 'token'>,
  method: string,
  path: string,
  body?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
