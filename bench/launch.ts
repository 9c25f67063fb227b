import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** A listening server in a separate process. */
export interface Launched {
  readonly child: ChildProcess;
  readonly port: number;
  /** The token of its token file. */
  readonly token: string;
  /** Returns its stderr so far. Empty if stderr goes to the terminal. */
  readonly stderr: () => string;
}

export interface LaunchOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Collects stderr instead of showing it. */
  readonly quiet?: boolean;
  /** A program with its first parameters that starts Node. */
  readonly starter?: readonly string[] | undefined;
}

/** A server that ended before it listened. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
  readonly code: number | null;
  /** Stderr of the process. */
  readonly stderr: string;

  constructor(args: readonly string[], code: number | null, stderr: string) {
    super(`A server stopped with code ${code} before it listened: ${stderr || args.join(' ')}`);
    this.code = code;
    this.stderr = stderr;
  }
}

/** Runs Node with these arguments. Resolves when the server prints its address. */
export async function launch(
  args: readonly string[],
  { env = process.env, quiet = false, starter = [] }: LaunchOptions = {},
): Promise<Launched> {
  const [program = process.execPath, ...parameters] = [...starter, process.execPath, ...args];
  const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', quiet ? 'pipe' : 'inherit'], env });
  let stderrText = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderrText += text;
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  if (child.stdout) {
    for await (const line of createInterface({ input: child.stdout })) {
      const [, port] = /^Open http:\/\/127\.0\.0\.1:(\d+)\/#code=\S+$/.exec(line) ?? [];
      if (port === undefined) continue;
      child.stdout.resume();
      return { child, port: Number(port), token: await readToken(args), stderr: () => stderrText };
    }
  }
  const [code] = await closed;
  throw new LaunchError(args, code, stderrText.trim());
}

/** Reads the file of `--token-file`. Returns an empty string for a server without that flag. */
async function readToken(args: readonly string[]): Promise<string> {
  const flagIndex = args.indexOf('--token-file');
  return flagIndex === -1 ? '' : (await readFile(args[flagIndex + 1] ?? '', 'utf8')).trim();
}

/** Ends a process unless it has already ended. */
export async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}
