import { randomUUID } from 'node:crypto';
import { sessionIdle, type SessionList, type SignedIn } from '../../core/app/sign-in.ts';
import type { Grant, Principal, TokenLookup } from '../access/principal.ts';
import { hashToken, newToken } from '../access/secret.ts';
import type { SqliteDatabase } from '../store/sqlite.ts';
import { lastUses } from './last-use.ts';

/** People who signed in; times are milliseconds since the epoch. */
export const sessionMigration = `
  CREATE TABLE sign_in (
    id TEXT PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    minted_by TEXT REFERENCES token (id),
    begun INTEGER NOT NULL,
    used INTEGER NOT NULL
  ) STRICT;
`;

interface SessionRow {
  readonly id: string;
  readonly sha256: string;
  readonly name: string;
  readonly scopes: string;
  readonly minted_by: string | null;
  readonly begun: number;
  used: number;
}

type SessionSummary = SessionList['sessions'][number];

export interface SessionStore {
  /** Counts as a use. */
  readonly find: TokenLookup;
  begin(grant: Grant): SignedIn & { readonly principal: Principal };
  /** Ends a session from the next request on; false where the id is unknown. */
  end(id: string): boolean;
  /** The one used last first. */
  list(): readonly Omit<SessionSummary, 'current'>[];
  /** Writes what is still to be written. */
  flush(): void;
}

/** How long a session that was not used is still called expired rather than unknown. */
const remembered = 24 * 3600 * 1000;

/**
 * Sessions by the SHA-256 of their tokens, held in memory and written beside: a disk that is full keeps nobody from
 * signing in, only from staying signed in over a restart. `holds` says whether a minted token still does.
 */
export function sessionStore(
  database: SqliteDatabase,
  clock: () => number,
  holds: (mintedBy: string) => boolean,
): SessionStore {
  const insert = database.prepare(
    'INSERT INTO sign_in (id, sha256, name, scopes, minted_by, begun, used) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM sign_in WHERE id = ?');
  const note = database.prepare('UPDATE sign_in SET used = ? WHERE id = ?');
  const uses = lastUses(clock, (id, at) => note.run(at, id));
  const rows = database.prepare<unknown[], SessionRow>('SELECT * FROM sign_in').all();
  const held = new Map(rows.map((row) => [row.sha256, row]));

  const isIdle = ({ used }: SessionRow, now: number) => used + sessionIdle <= now;
  const isRevoked = (row: SessionRow) => row.minted_by !== null && !holds(row.minted_by);

  function forget(row: SessionRow): void {
    held.delete(row.sha256);
    remove.run(row.id);
  }

  function keep(row: SessionRow): void {
    held.set(row.sha256, row);
    try {
      const { id, sha256, name, scopes, minted_by: mintedBy, begun, used } = row;
      insert.run(id, sha256, name, scopes, mintedBy, begun, used);
      for (const one of held.values()) if (one.used + remembered <= begun) forget(one);
    } catch {
      // It holds until the server ends.
    }
  }

  return {
    find(sha256) {
      const row = held.get(sha256);
      if (!row || isRevoked(row)) return undefined;
      const now = clock();
      if (isIdle(row, now)) return 'expired';
      row.used = now;
      uses.note(row.id);
      return principalOf(row);
    },
    begin({ name, scopes, mintedBy }) {
      const token = newToken();
      const now = clock();
      const row: SessionRow = {
        id: randomUUID(),
        sha256: hashToken(token),
        name,
        scopes: scopes.join(' '),
        minted_by: mintedBy ?? null,
        begun: now,
        used: now,
      };
      keep(row);
      return {
        token,
        expires: instant(now + sessionIdle),
        scope: row.scopes,
        principal: principalOf(row),
      };
    },
    end(id) {
      const row = [...held.values()].find((one) => one.id === id);
      if (row) forget(row);
      return row !== undefined;
    },
    list() {
      const now = clock();
      return [...held.values()]
        .filter((row) => !isIdle(row, now) && !isRevoked(row))
        .sort((one, other) => other.used - one.used)
        .map(({ id, name, begun, used, scopes }) => ({
          ...{ id, name, scope: scopes },
          ...{ begun: instant(begun), used: instant(used) },
        }));
    },
    flush: uses.flush,
  };
}

function principalOf({ id, name, scopes, minted_by: mintedBy }: SessionRow): Principal {
  const kind = 'session';
  return { id, name, scopes: scopes.split(' '), kind, ...(mintedBy !== null && { mintedBy }) };
}

function instant(time: number): string {
  return new Date(time).toISOString();
}
