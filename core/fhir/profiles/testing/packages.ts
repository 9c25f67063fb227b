/** Published FHIR packages for tests, where they are at hand: the files of a .tgz, and the set that they make. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ConformanceSet, Definition } from '../conformance.ts';
import { setOf } from './sets.ts';

const folder = resolve(import.meta.dirname, '../../../../../shared/packages');

/** Whether a package is on this machine; tests that need it are not run elsewhere. */
export function hasPackage(name: string): boolean {
  return existsSync(resolve(folder, `${name}.tgz`));
}

/** The JSON files of a package, by path (POSIX ustar). */
export function packageFiles(name: string): ReadonlyMap<string, string> {
  const tar = gunzipSync(readFileSync(resolve(folder, `${name}.tgz`)));
  const files = new Map<string, string>();
  for (let at = 0; at + 512 <= tar.length;) {
    const text = (from: number, length: number) =>
      tar.toString('utf8', at + from, at + from + length).replace(/\0.*$/s, '');
    const path = [text(345, 155), text(0, 100)].filter((part) => part !== '').join('/');
    const size = Number.parseInt(text(124, 12), 8) || 0;
    if (path.endsWith('.json')) files.set(path, tar.toString('utf8', at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

/** The set of a package's own definitions. */
export function packageSet(name: string): ConformanceSet {
  const definitions = [...packageFiles(name)]
    .filter(([path]) => /^package\/(?:StructureDefinition|ValueSet|CodeSystem)-[^/]*$/.test(path))
    .map(([, text]) => JSON.parse(text) as Definition);
  return setOf(definitions, name);
}

/** An example of a package, as it is written. */
export function exampleOf(name: string, file: string): string {
  const text = packageFiles(name).get(`package/example/${file}`);
  if (text === undefined) throw new Error(`${name} has no example ${file}`);
  return text;
}
