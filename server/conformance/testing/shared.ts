import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Folder of public suites and real records, next to the clone and not part of it. */
const shared = resolve(import.meta.dirname, '../../../../shared');

export const suites = resolve(shared, 'suites');
export const realRecords = resolve(shared, 'data');

/** Returns the name of a test group that needs a folder, and true in `absent` if the folder is missing. */
export function describeRequirement(
  folder: string,
  name: string,
): { readonly name: string; readonly absent: boolean } {
  const absent = !existsSync(folder);
  return { name: absent ? `${name} (not run: absent)` : name, absent };
}
