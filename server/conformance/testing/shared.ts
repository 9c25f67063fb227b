import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Folder of public suites and real records, next to the clone and not part of it. */
const shared = resolve(import.meta.dirname, '../../../../shared');

export const suitesFolder = resolve(shared, 'suites');
export const realRecords = resolve(shared, 'data');

/** Returns the title of a test group that needs a folder, and whether the folder is missing. */
export function describeRequirement(
  folder: string,
  name: string,
): { readonly suiteTitle: string; readonly isMissing: boolean } {
  const isMissing = !existsSync(folder);
  return { suiteTitle: isMissing ? `${name} (not run: absent)` : name, isMissing };
}
