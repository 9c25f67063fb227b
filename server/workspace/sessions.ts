import { randomUUID } from 'node:crypto';
import { providerLongest, sessionIdle, type SessionList, type SignedIn } from '../../core/app/sign-in.ts';
import type { Grant, Principal, TokenLookup } from '../access/principal.ts';
import { hashToken, createToken } from '../access/secret.ts';
import type { SqliteDatabase } from '../sqlite/sqlite.ts';
import { lastUses } from './last-use.ts';
import type { PeopleStore } from './people.ts';

/** Table of sessions. Times are milliseconds since the epoch. */
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

/** Column of the provider's subject. Null for a sign-in with a code of this server. */
export const subjectMigration = 'ALTER TABLE sign_in ADD COLUMN subject TEXT;';

/** Columns of the origin of a session or token, and the latest end of a session. Null if there is none. */
export const originMigration = `
  ALTER TABLE sign_in ADD COLUMN maker TEXT;
  ALTER TABLE sign_in ADD COLUMN until INTEGER;
  ALTER TABLE token ADD COLUMN maker TEXT;
`;

interface SessionRow {
  readonly id: string;
  readonly sha256: string;
  readonly name: string;
  readonly scopes: string;
  readonly minted_by: string | null;
  readonly begun: number;
  used: number;
  /** Id of the person at the keyboard. */
  person: string | null;
  readonly subject: string | null;
  /** Id of the session or token that created its code. */
  readonly maker: string | null;
  readonly until: number | null;
}

/** Time in milliseconds for which an ended session is reported as expired instead of unknown. */
const retentionMs = 24 * 3600 * 1000;

export type SessionStore = ReturnType<typeof sessionStore>;

/**
 * Creates the store of sessions, by the SHA-256 of their tokens. Sessions are in memory and written to the database. On
 * a full disk, sign-in still works but does not survive a restart.
 *
 * @param tokenHolds - Returns true if a token is valid.
 */
export function sessionStore(
  database: SqliteDatabase,
  clock: () => number,
  tokenHolds: (id: string) => boolean,
  people: Pick<PeopleStore, 'nameOf' | 'lastOf' | 'keepLast'>,
) {
  const insert = database.prepare(
    `INSERT INTO sign_in (id, sha256, name, scopes, minted_by, begun, used, person, subject, maker, until)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const deleteSession = database.prepare('DELETE FROM sign_in WHERE id = ?');
  const setPerson = database.prepare('UPDATE sign_in SET person = ? WHERE id = ?');
  const uses = lastUses(database, clock);
  const listSessions = database.prepare<unknown[], SessionRow & { readonly at: number | null }>(
    'SELECT sign_in.*, at FROM sign_in LEFT JOIN last_use USING (id)',
  );
  const deleteOldUses = database.prepare(
    `DELETE FROM last_use WHERE at <= ? AND id NOT IN (SELECT id FROM token) AND id NOT IN (SELECT id FROM sign_in)`,
  );
  const readRows = () =>
    listSessions
      .all()
      .map(({ at: usedAtMs, ...row }): SessionRow => ({ ...row, used: Math.max(row.used, usedAtMs ?? 0) }));
  let rowsByHash = new Map(readRows().map((row) => [row.sha256, row]));

  function rowOf(id: string): SessionRow | undefined {
    for (const row of rowsByHash.values()) if (row.id === id) return row;
    return undefined;
  }

  const isOver = (row: SessionRow, now: number) => Math.min(row.used + sessionIdle, latestOf(row)) <= now;
  const isRevoked = (row: SessionRow) =>
    (row.minted_by !== null && !tokenHolds(row.minted_by)) ||
    (row.maker !== null && !isMakerValid(row.maker));
  const isMakerValid = (id: string) => isValid(id) || tokenHolds(id);

  function isValid(id: string): boolean {
    const row = rowOf(id);
    return row !== undefined && !isRevoked(row) && !isOver(row, clock());
  }

  function lookUp(sha256: string): SessionRow | 'expired' | undefined {
    const row = rowsByHash.get(sha256);
    if (!row || isRevoked(row)) return undefined;
    return isOver(row, clock()) ? 'expired' : row;
  }

  function removeRow(row: SessionRow): void {
    rowsByHash.delete(row.sha256);
    deleteSession.run(row.id);
  }

  function storeRow(row: SessionRow): void {
    rowsByHash.set(row.sha256, row);
    try {
      const {
        id,
        sha256,
        name,
        scopes,
        minted_by: mintedBy,
        begun: begunMs,
        used: usedMs,
        person,
        subject,
        maker,
        until,
      } = row;
      insert.run(id, sha256, name, scopes, mintedBy, begunMs, usedMs, person, subject, maker, until);
      for (const oldRow of rowsByHash.values()) if (oldRow.used + retentionMs <= begunMs) removeRow(oldRow);
      deleteOldUses.run(begunMs - retentionMs);
    } catch {
      // The session stays valid until the server ends.
    }
  }

  return {
    /** Finds a session and records a use. */
    find(sha256: string): ReturnType<TokenLookup> {
      const row = lookUp(sha256);
      if (typeof row !== 'object') return row;
      row.used = clock();
      uses.note(row.id);
      return principalOf(row);
    },
    /** Returns true if the token of a session is valid. Records no use. */
    isTaken: (sha256: string) => typeof lookUp(sha256) === 'object',
    /** Returns true if a session is valid. */
    holds: isValid,
    /** Returns true if a code can start a session: its origin is valid and its sign-in has not expired. */
    mayBegin: ({ maker, until = Infinity }: Grant) =>
      clock() < until && (maker === undefined || isMakerValid(maker)),
    /** Sets the person at the keyboard, or none. Returns false if there is no such session. */
    seat(id: string, person: string | undefined): boolean {
      const row = rowOf(id);
      if (!row) return false;
      row.person = person ?? null;
      setPerson.run(row.person, id);
      people.keepLast(row.name, person);
      return true;
    },
    /** Returns the id of the person at the keyboard of a session. */
    seated: (id: string) => rowOf(id)?.person ?? undefined,
    begin({
      name,
      scopes,
      mintedBy,
      subject,
      maker,
      until,
    }: Grant): SignedIn & { readonly principal: Principal } {
      const token = createToken();
      const now = clock();
      const row: SessionRow = {
        id: randomUUID(),
        sha256: hashToken(token),
        name,
        scopes: scopes.join(' '),
        minted_by: mintedBy ?? null,
        begun: now,
        used: now,
        person: people.lastOf(name) ?? null,
        subject: subject ?? null,
        maker: maker ?? null,
        until: until ?? null,
      };
      storeRow(row);
      return {
        token,
        expires: instant(Math.min(now + sessionIdle, latestOf(row))),
        scope: row.scopes,
        name,
        principal: principalOf(row),
      };
    },
    /** Ends a session and all sessions of its subject from the next request on. Returns false if the id is unknown. */
    end(id: string): boolean {
      const row = rowOf(id);
      if (!row) return false;
      const { subject } = row;
      const subjectRows = [...rowsByHash.values()].filter(
        (candidate) => subject !== null && candidate.subject === subject,
      );
      for (const endedRow of [row, ...subjectRows]) removeRow(endedRow);
      return true;
    },
    /** Returns the sessions, last used first. */
    list(): Omit<SessionList['sessions'][number], 'current'>[] {
      const now = clock();
      return [...rowsByHash.values()]
        .filter((row) => !isOver(row, now) && !isRevoked(row))
        .sort((row, right) => right.used - row.used)
        .map(({ id, name, begun: begunMs, used: usedMs, scopes, person }) => ({
          id,
          name,
          scope: scopes,
          ...personOf(person),
          begun: instant(begunMs),
          used: instant(usedMs),
        }));
    },
    /** Reloads the sessions from the database. */
    reread(): void {
      const previousRows = rowsByHash;
      // A use in memory may not be written yet.
      const getLastUse = (row: SessionRow) => Math.max(row.used, previousRows.get(row.sha256)?.used ?? 0);
      rowsByHash = new Map(readRows().map((row) => [row.sha256, { ...row, used: getLastUse(row) }]));
    },
    /** Writes pending uses. */
    flush: uses.flush,
  };

  /** Returns the name of a person, or nothing for a removed one. */
  function personOf(id: string | null): { readonly person?: string } {
    const person = id === null ? undefined : people.nameOf(id);
    return person === undefined ? {} : { person };
  }

  function principalOf(row: SessionRow): Principal {
    const { id, name, scopes, minted_by: mintedBy, person, subject } = row;
    const principal = { id, name, scopes: scopes.split(' '), kind: 'session', seat: true } as const;
    const until = latestOf(row);
    return {
      ...principal,
      ...(mintedBy !== null && { mintedBy }),
      ...(subject !== null && { subject }),
      ...(until < Infinity && { until }),
      ...personOf(person),
    };
  }
}

/** Returns the latest end of a session. A provider session of an older version has no stored end. */
function latestOf({ until, subject, begun: begunMs }: SessionRow): number {
  return until ?? (subject === null ? Infinity : begunMs + providerLongest);
}

function instant(time: number): string {
  return new Date(time).toISOString();
}
