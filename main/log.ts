import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Appends one line. Callers pass no address, body, header or token. */
export type Log = (line: string) => void;

const MAX_BYTES = 5 * 1024 * 1024;

/**
 * Returns a log that appends to `file`, readable by its owner alone, each line with its time in UTC. Beyond
 * `maxBytes` the file is renamed to `<file>.1` and a new one begun. A log that cannot be written is no fault: the
 * application goes on without it.
 */
export function createLog(file: string, maxBytes = MAX_BYTES): Log {
  return function log(line) {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= maxBytes) renameSync(file, `${file}.1`);
      appendFileSync(file, `${new Date().toISOString()} ${line}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not end the session that could still save elsewhere.
    }
  };
}
