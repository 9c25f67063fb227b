import { cp, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { root } from '../scripts/bundles.ts';
import { FaultError } from './fault-case.ts';

/** A text of the built server and what takes its place. */
export interface Replacement {
  readonly from: RegExp;
  readonly to: string;
}

/**
 * Copies the built server with some of its text replaced: what a case must notice is put into a copy, so that the
 * product needs no switch that weakens it. Answers the copy's command line.
 */
export async function buildWith(folder: string, replacements: readonly Replacement[]): Promise<string> {
  const copy = join(folder, 'build');
  await cp(resolve(root, 'dist/server'), join(copy, 'server'), { recursive: true });
  await symlink(resolve(root, 'node_modules'), join(copy, 'node_modules'));
  await symlink(resolve(root, 'dist/page'), join(copy, 'page'));
  await writeFile(join(copy, 'package.json'), '{ "type": "module" }\n');
  const missing = new Set(replacements);
  for (const name of await readdir(join(copy, 'server'))) {
    if (!name.endsWith('.js')) continue;
    const file = join(copy, 'server', name);
    let text = await readFile(file, 'utf8');
    for (const replacement of replacements) {
      const replaced = text.replace(replacement.from, replacement.to);
      if (replaced !== text) missing.delete(replacement);
      text = replaced;
    }
    await writeFile(file, text);
  }
  const [first] = missing;
  if (first) throw new FaultError(`The built server has no ${first.from.source} to be replaced.`);
  return join(copy, 'server', 'cli.js');
}
