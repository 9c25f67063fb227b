/** Published FHIR packages for tests, if available: the files of a .tgz and their definitions. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ConformanceSet, Definition } from '../conformance.ts';
import { setOf } from './sets.ts';

const folder = resolve(import.meta.dirname, '../../../../../shared/packages');

/** Returns true if a package is on this machine. Tests that need it are skipped otherwise. */
export function hasPackage(name: string): boolean {
  return existsSync(resolve(folder, `${name}.tgz`));
}

/** Reads the JSON files of a package by path (POSIX ustar). */
export function packageFiles(name: string): ReadonlyMap<string, string> {
  const tar = gunzipSync(readFileSync(resolve(folder, `${name}.tgz`)));
  const files = new Map<string, string>();
  for (let offset = 0; offset + 512 <= tar.length;) {
    const text = (from: number, length: number) =>
      tar.toString('utf8', offset + from, offset + from + length).replace(/\0.*$/s, '');
    const path = [text(345, 155), text(0, 100)].filter((part) => part !== '').join('/');
    const size = Number.parseInt(text(124, 12), 8) || 0;
    if (path.endsWith('.json')) files.set(path, tar.toString('utf8', offset + 512, offset + 512 + size));
    offset += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

/** Returns the definitions of a package. */
export function packageSet(name: string): ConformanceSet {
  const definitions = [...packageFiles(name)]
    .filter(([path]) => /^package\/(?:StructureDefinition|ValueSet|CodeSystem)-[^/]*$/.test(path))
    .map(([, text]) => JSON.parse(text) as Definition);
  return setOf(definitions, name);
}

/** Returns the text of an example in a package. */
export function exampleOf(name: string, file: string): string {
  const text = packageFiles(name).get(`package/example/${file}`);
  if (text === undefined) throw new Error(`${name} has no example ${file}`);
  return text;
}
