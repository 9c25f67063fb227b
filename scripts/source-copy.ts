/** Copies of the sources for what changes them to see what notices: the project's own folder stays as it is. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './bundles.ts';

/** A folder beside no repository with what git knows and what is new, and links to what is needed as it is. */
export function copySources(name: string, links: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), `chartkeeper-${name}-`));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0').filter(Boolean)) {
    const from = join(root, file);
    if (existsSync(from)) cpSync(from, join(folder, file), { recursive: true, preserveTimestamps: true });
  }
  for (const link of links) {
    if (existsSync(join(root, link)))
      symlinkSync(realpathSync(join(root, link)), join(folder, link), 'junction');
  }
  return folder;
}

/** Runs a script of the copy with this Node, as if nothing ran around it; its exit code. */
export async function runInCopy(
  folder: string,
  script: string,
  ...parameters: string[]
): Promise<number | null> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^VITEST|^TEST$|^NODE_ENV$|^BUILT_CLI$/.test(name)),
  );
  const child = spawn(process.execPath, [script, ...parameters], { cwd: folder, env, stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}
