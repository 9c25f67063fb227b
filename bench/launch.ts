import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** A server in a process of its own that listens. */
export interface Launched {
  readonly child: ChildProcess;
  readonly port: number;
  /** That of its token file. */
  readonly token: string;
  /** What it wrote to stderr so far; empty where that goes to the terminal. */
  readonly said: () => string;
}

export interface LaunchOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Keeps what it writes to stderr instead of showing it. */
  readonly quiet?: boolean;
  /** A program with its first parameters that starts Node. */
  readonly starter?: readonly string[] | undefined;
}

/** A server that ended before it listened. */
export class LaunchFault extends Error {
  override readonly name = 'LaunchFault';
  readonly code: number | null;
  /** What it wrote to stderr. */
  readonly said: string;

  constructor(args: readonly string[], code: number | null, said: string) {
    super(`A server stopped with code ${code} before it listened: ${said || args.join(' ')}`);
    this.code = code;
    this.said = said;
  }
}

/** Runs Node with these arguments; resolves once the server says where it listens. */
export async function launch(
  args: readonly string[],
  { env = process.env, quiet = false, starter = [] }: LaunchOptions = {},
): Promise<Launched> {
  const [program = process.execPath, ...given] = [...starter, process.execPath, ...args];
  const child = spawn(program, given, { stdio: ['ignore', 'pipe', quiet ? 'pipe' : 'inherit'], env });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  if (child.stdout) {
    for await (const line of createInterface({ input: child.stdout })) {
      const [, port] = /^Open http:\/\/127\.0\.0\.1:(\d+)\/#code=\S+$/.exec(line) ?? [];
      if (port === undefined) continue;
      child.stdout.resume();
      return { child, port: Number(port), token: await tokenOf(args), said: () => said };
    }
  }
  const [code] = await closed;
  throw new LaunchFault(args, code, said.trim());
}

/** What the file of `--token-file` holds; empty for a server that asks for none. */
async function tokenOf(args: readonly string[]): Promise<string> {
  const at = args.indexOf('--token-file');
  return at === -1 ? '' : (await readFile(args[at + 1] ?? '', 'utf8')).trim();
}

/** Ends a process, if it did not end by itself. */
export async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
