/** Runs the command line in a child process, as a user does. `BUILT_CLI` selects a built bundle. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';

/** Command line of a desktop build, if tests run on one (scripts/testing/desktop-build.ts). */
export const desktopCli =
  process.env.CHARTKEEPER_TEST_ENGINE === 'desktop' ? process.env.DESKTOP_CLI : undefined;

const entry = desktopCli ?? process.env.BUILT_CLI ?? resolve(import.meta.dirname, '../cli.ts');

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function spawnCli(parameters: readonly string[], nodeFlags: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, [...nodeFlags, entry, ...parameters], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs a command to its end. */
export async function runCli(
  parameters: readonly string[],
  nodeFlags: readonly string[] = [],
): Promise<CliResult> {
  return waitForCli(spawnCli(parameters, nodeFlags));
}

/** Waits for a command; returns its exit code and output. */
export async function waitForCli(child: ChildProcess): Promise<CliResult> {
  const [stdout, stderr, [code]] = await Promise.all([
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}
