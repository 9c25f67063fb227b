import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';

/**
 * When a token or a session was used last, by its id. It stands apart from what they may do: a server that notes a use
 * writes nothing else of them, so that a right that was taken elsewhere at that moment stays taken. `token.last_used`
 * and `sign_in.used` tell of uses before this table.
 */
export const lastUseMigration = `
  CREATE TABLE last_use (id TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Milliseconds between two writes of one token's last use. */
const interval = 60_000;

/** Milliseconds from a use to its write: behind the answer of the request that used it. */
const delay = 1000;

/** Gathers the last uses of tokens and writes each later, at most once a minute; `flush` does so now. */
export function lastUses(database: SqliteDatabase, clock: () => number) {
  const write = database.prepare(
    'INSERT INTO last_use (id, at) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at',
  );
  const written = new Map<string, number>();
  const pending = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    for (const [id, at] of pending) {
      try {
        write.run(id, at);
        written.set(id, at);
      } catch {
        // A full disk must not end the server over this; the next use is noted again.
      }
    }
    pending.clear();
  };
  const note = (id: string) => {
    const now = clock();
    const last = written.get(id);
    if (pending.has(id) || (last !== undefined && now - last < interval)) return;
    pending.set(id, now);
    timer ??= setTimeout(flush, delay).unref();
  };
  return { flush, note };
}
