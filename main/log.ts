import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Appends a line. Callers pass no address, body, header or token. */
export type Log = (line: string) => void;

const MAX_BYTES = 5 * 1024 * 1024;

/**
 * Creates a log that appends to `file`, readable only by its owner, each line with its time in UTC. At
 * `maxBytes` the file is renamed to `<file>.1` and a new one is started. The application continues if the log
 * cannot be written.
 */
export function createLog(file: string, maxBytes = MAX_BYTES): Log {
  return function log(line) {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= maxBytes) renameSync(file, `${file}.1`);
      appendFileSync(file, `${new Date().toISOString()} ${line}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not end a session that may still save elsewhere.
    }
  };
}
