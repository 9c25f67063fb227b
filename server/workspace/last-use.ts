import type { SqliteDatabase } from '../sqlite/sqlite.ts';

/**
 * Table of the last use of tokens and sessions, by id. It is separate from their rights, so that a server that records
 * a use never overwrites a revocation by another server. `token.last_used` and `sign_in.used` contain older uses.
 */
export const lastUseMigration = `
  CREATE TABLE last_use (id TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Minimum time in milliseconds between two writes for one token. */
const writeIntervalMs = 60_000;

/** Delay in milliseconds before a use is written, so that the response is sent first. */
const writeDelayMs = 1000;

/** Collects the last uses of tokens and writes each with a delay, at most once a minute. `flush` writes now. */
export function lastUses(database: SqliteDatabase, clock: () => number) {
  const write = database.prepare(
    'INSERT INTO last_use (id, at) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at',
  );
  const writtenTimes = new Map<string, number>();
  const pending = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    for (const [id, usedAtMs] of pending) {
      try {
        write.run(id, usedAtMs);
        writtenTimes.set(id, usedAtMs);
      } catch {
        // A full disk must not end the server. The next use is recorded again.
      }
    }
    pending.clear();
  };
  const note = (id: string) => {
    const now = clock();
    const lastWrittenMs = writtenTimes.get(id);
    if (pending.has(id) || (lastWrittenMs !== undefined && now - lastWrittenMs < writeIntervalMs)) return;
    pending.set(id, now);
    timer ??= setTimeout(flush, writeDelayMs).unref();
  };
  return { flush, note };
}
