import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { builtCommandLine } from './server.ts';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

/** Runs a command of the built command line to its end. */
export async function runCommand(
  parameters: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const startTime = performance.now();
  const child = spawn(process.execPath, [builtCommandLine, ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr, milliseconds: performance.now() - startTime };
}
