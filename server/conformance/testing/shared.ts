import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Public suites and real records, which lie beside a clone and are no part of it. */
const shared = resolve(import.meta.dirname, '../../../../shared');

export const suites = resolve(shared, 'suites');
export const realRecords = resolve(shared, 'data');

/** The name of a group of tests that needs a folder, and whether to skip it. */
export function needing(folder: string, name: string): { readonly name: string; readonly absent: boolean } {
  const absent = !existsSync(folder);
  return { name: absent ? `${name} (not run: absent)` : name, absent };
}
