/** Copies the sources, for tools that change them. The folder of the project stays unchanged. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './bundles.ts';

/**
 * Copies all tracked and new files into a folder outside any repository, and links the given paths. Returns
 * the folder.
 */
export function copySources(name: string, links: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), `chartkeeper-${name}-`));
  const fileList = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of fileList.split('\0').filter(Boolean)) {
    const sourcePath = join(root, file);
    if (existsSync(sourcePath))
      cpSync(sourcePath, join(folder, file), { recursive: true, preserveTimestamps: true });
  }
  for (const link of links) {
    if (existsSync(join(root, link)))
      symlinkSync(realpathSync(join(root, link)), join(folder, link), 'junction');
  }
  return folder;
}

/** Runs a script of the copy with this Node, without variables of a test run. Returns its exit code. */
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
