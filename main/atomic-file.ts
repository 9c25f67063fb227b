import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes `text` to `file`, readable only by its owner. Writes a temporary file first and renames it, so that
 * a crash leaves either the old or the new text.
 *
 * @throws the error of `node:fs`. The temporary file is removed.
 */
export function writeAtomically(file: string, text: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporaryFile = join(folder, `.${randomUUID()}.tmp`);
  try {
    const handle = openSync(temporaryFile, 'wx', 0o600);
    try {
      writeSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporaryFile, file);
  } catch (error) {
    rmSync(temporaryFile, { force: true });
    throw error;
  }
}
