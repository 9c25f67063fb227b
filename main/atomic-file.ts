import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes `text` to `file`, readable by its owner alone: beside it first, then put in its place, so that a crash leaves
 * the old text or the new one. Throws as `node:fs` does; nothing is left beside it then.
 */
export function writeAtomically(file: string, text: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const beside = join(folder, `.${randomUUID()}.tmp`);
  try {
    const handle = openSync(beside, 'wx', 0o600);
    try {
      writeSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
