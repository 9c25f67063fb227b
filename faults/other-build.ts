import { cp, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { root } from '../scripts/bundles.ts';
import { FaultError } from './fault-case.ts';

/** A replacement in the code of the built server. */
export interface Replacement {
  readonly from: RegExp;
  readonly to: string;
}

/**
 * Copies the built server and replaces some of its code. A case plants its defect in a copy, so that the
 * product needs no switch that weakens it. Returns the command line of the copy.
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
      const newText = text.replace(replacement.from, replacement.to);
      if (newText !== text) missing.delete(replacement);
      text = newText;
    }
    await writeFile(file, text);
  }
  const [missingReplacement] = missing;
  if (missingReplacement)
    throw new FaultError(`The built server has no ${missingReplacement.from.source} to be replaced.`);
  return join(copy, 'server', 'cli.js');
}
