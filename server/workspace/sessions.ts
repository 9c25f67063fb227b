import { randomUUID } from 'node:crypto';
import { sessionIdle, type SessionList, type SignedIn } from '../../core/app/sign-in.ts';
import type { Grant, Principal, TokenLookup } from '../access/principal.ts';
import { hashToken, newToken } from '../access/secret.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';
import { lastUses } from './last-use.ts';
import type { PeopleStore } from './people.ts';

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

/** Whom a provider signed in; null for those who came with a code of this server's own. */
export const subjectMigration = 'ALTER TABLE sign_in ADD COLUMN subject TEXT;';

interface SessionRow {
  readonly id: string;
  readonly sha256: string;
  readonly name: string;
  readonly scopes: string;
  readonly minted_by: string | null;
  readonly begun: number;
  used: number;
  /** Id of who sits at the keyboard. */
  person: string | null;
  readonly subject: string | null;
}

/** How long a session that was not used is still called expired rather than unknown. */
const remembered = 24 * 3600 * 1000;

/** How long a session of a provider's subject holds, however it is used: roles are looked at anew then. */
const subjectLongest = 12 * 3600 * 1000;

export type SessionStore = ReturnType<typeof sessionStore>;

/**
 * Sessions by the SHA-256 of their tokens, held in memory and written beside: a disk that is full keeps nobody from
 * signing in, only from staying signed in over a restart. `holds` says whether a minted token still does.
 */
export function sessionStore(
  database: SqliteDatabase,
  clock: () => number,
  holds: (mintedBy: string) => boolean,
  people: Pick<PeopleStore, 'nameOf' | 'lastOf' | 'keepLast'>,
) {
  const insert = database.prepare(
    'INSERT INTO sign_in (id, sha256, name, scopes, minted_by, begun, used, person, subject) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM sign_in WHERE id = ?');
  const note = database.prepare('UPDATE sign_in SET used = ? WHERE id = ?');
  const seat = database.prepare('UPDATE sign_in SET person = ? WHERE id = ?');
  const uses = lastUses(clock, (id, at) => note.run(at, id));
  const all = database.prepare<unknown[], SessionRow>('SELECT * FROM sign_in');
  let held = new Map(all.all().map((row) => [row.sha256, row]));

  const rowOf = (id: string) => [...held.values()].find((one) => one.id === id);
  const isIdle = ({ used, begun, subject }: SessionRow, now: number) =>
    used + sessionIdle <= now || (subject !== null && begun + subjectLongest <= now);
  const isRevoked = (row: SessionRow) => row.minted_by !== null && !holds(row.minted_by);

  function forget(row: SessionRow): void {
    held.delete(row.sha256);
    remove.run(row.id);
  }

  function keep(row: SessionRow): void {
    held.set(row.sha256, row);
    try {
      const { id, sha256, name, scopes, minted_by: mintedBy, begun, used, person, subject } = row;
      insert.run(id, sha256, name, scopes, mintedBy, begun, used, person, subject);
      for (const one of held.values()) if (one.used + remembered <= begun) forget(one);
    } catch {
      // It holds until the server ends.
    }
  }

  return {
    /** Counts as a use. */
    find(sha256: string): ReturnType<TokenLookup> {
      const row = held.get(sha256);
      if (!row || isRevoked(row)) return undefined;
      const now = clock();
      if (isIdle(row, now)) return 'expired';
      row.used = now;
      uses.note(row.id);
      return principalOf(row);
    },
    /** Puts another person, or nobody, at the keyboard; false where the id is that of no session. */
    seat(id: string, person: string | undefined): boolean {
      const row = rowOf(id);
      if (!row) return false;
      row.person = person ?? null;
      seat.run(row.person, id);
      people.keepLast(row.name, person);
      return true;
    },
    /** Id of who sits at the keyboard of a session. */
    seated: (id: string) => rowOf(id)?.person ?? undefined,
    begin({ name, scopes, mintedBy, subject }: Grant): SignedIn & { readonly principal: Principal } {
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
        person: people.lastOf(name) ?? null,
        subject: subject ?? null,
      };
      keep(row);
      return {
        token,
        expires: instant(now + sessionIdle),
        scope: row.scopes,
        principal: principalOf(row),
      };
    },
    /** Ends a session, and all others of its subject, from the next request on; false where the id is unknown. */
    end(id: string): boolean {
      const row = rowOf(id);
      if (!row) return false;
      const { subject } = row;
      const ended = [...held.values()].filter((one) => subject !== null && one.subject === subject);
      for (const one of [row, ...ended]) forget(one);
      return true;
    },
    /** The one used last first. */
    list(): Omit<SessionList['sessions'][number], 'current'>[] {
      const now = clock();
      return [...held.values()]
        .filter((row) => !isIdle(row, now) && !isRevoked(row))
        .sort((one, other) => other.used - one.used)
        .map(({ id, name, begun, used, scopes, person }) => ({
          ...{ id, name, scope: scopes },
          ...personOf(person),
          ...{ begun: instant(begun), used: instant(used) },
        }));
    },
    /** Takes over what is in the database. */
    reread(): void {
      const known = held;
      // A use is written later than it is made.
      const used = (row: SessionRow) => Math.max(row.used, known.get(row.sha256)?.used ?? 0);
      held = new Map(all.all().map((row) => [row.sha256, { ...row, used: used(row) }]));
    },
    /** Writes what is still to be written. */
    flush: uses.flush,
  };

  /** The person's name; one who was removed is nobody. */
  function personOf(id: string | null): { readonly person?: string } {
    const person = id === null ? undefined : people.nameOf(id);
    return person === undefined ? {} : { person };
  }

  function principalOf({ id, name, scopes, minted_by: mintedBy, person, subject }: SessionRow): Principal {
    const own = { id, name, scopes: scopes.split(' '), kind: 'session', seat: true } as const;
    return {
      ...own,
      ...(mintedBy !== null && { mintedBy }),
      ...(subject !== null && { subject }),
      ...personOf(person),
    };
  }
}

function instant(time: number): string {
  return new Date(time).toISOString();
}
