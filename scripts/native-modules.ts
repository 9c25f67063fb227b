import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Returns the hexadecimal SHA-256 of each native module of the database driver, by file name. */
export function hashNativeModules(root: string): Readonly<Record<string, string>> {
  const folder = resolve(root, 'node_modules/better-sqlite3/prebuilds');
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.node'))
    .sort();
  if (names.length === 0) throw new Error(`${folder} holds no native module.`);
  const hashFile = (name: string) =>
    createHash('sha256')
      .update(readFileSync(resolve(folder, name)))
      .digest('hex');
  return Object.fromEntries(names.map((name) => [name, hashFile(name)]));
}
