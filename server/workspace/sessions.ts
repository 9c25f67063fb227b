import { randomUUID } from 'node:crypto';
import { providerLongest, sessionIdle, type SessionList, type SignedIn } from '../../core/app/sign-in.ts';
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

/** What made a session or a token, and when a session ends at the latest; null where nothing else did, and no time does. */
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
  /** Id of who sits at the keyboard. */
  person: string | null;
  readonly subject: string | null;
  /** Id of the session or the minted token that made its code. */
  readonly maker: string | null;
  readonly until: number | null;
}

/** How long a session that was not used is still called expired rather than unknown. */
const remembered = 24 * 3600 * 1000;

export type SessionStore = ReturnType<typeof sessionStore>;

/**
 * Sessions by the SHA-256 of their tokens, held in memory and written beside: a disk that is full keeps nobody from
 * signing in, only from staying signed in over a restart. `tokenHolds` says whether a minted token still does.
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
  const remove = database.prepare('DELETE FROM sign_in WHERE id = ?');
  const seat = database.prepare('UPDATE sign_in SET person = ? WHERE id = ?');
  const uses = lastUses(database, clock);
  const all = database.prepare<unknown[], SessionRow & { readonly at: number | null }>(
    'SELECT sign_in.*, at FROM sign_in LEFT JOIN last_use USING (id)',
  );
  const dropUses = database.prepare(
    `DELETE FROM last_use WHERE at <= ? AND id NOT IN (SELECT id FROM token) AND id NOT IN (SELECT id FROM sign_in)`,
  );
  const rowsHere = () =>
    all.all().map(({ at, ...row }): SessionRow => ({ ...row, used: Math.max(row.used, at ?? 0) }));
  let held = new Map(rowsHere().map((row) => [row.sha256, row]));

  function rowOf(id: string): SessionRow | undefined {
    for (const row of held.values()) if (row.id === id) return row;
    return undefined;
  }

  const isOver = (row: SessionRow, now: number) => Math.min(row.used + sessionIdle, latestOf(row)) <= now;
  const isRevoked = (row: SessionRow) =>
    (row.minted_by !== null && !tokenHolds(row.minted_by)) || (row.maker !== null && !makerHolds(row.maker));
  const makerHolds = (id: string) => holds(id) || tokenHolds(id);

  function holds(id: string): boolean {
    const row = rowOf(id);
    return row !== undefined && !isRevoked(row) && !isOver(row, clock());
  }

  function look(sha256: string): SessionRow | 'expired' | undefined {
    const row = held.get(sha256);
    if (!row || isRevoked(row)) return undefined;
    return isOver(row, clock()) ? 'expired' : row;
  }

  function forget(row: SessionRow): void {
    held.delete(row.sha256);
    remove.run(row.id);
  }

  function keep(row: SessionRow): void {
    held.set(row.sha256, row);
    try {
      const {
        id,
        sha256,
        name,
        scopes,
        minted_by: mintedBy,
        begun,
        used,
        person,
        subject,
        maker,
        until,
      } = row;
      insert.run(id, sha256, name, scopes, mintedBy, begun, used, person, subject, maker, until);
      for (const one of held.values()) if (one.used + remembered <= begun) forget(one);
      dropUses.run(begun - remembered);
    } catch {
      // It holds until the server ends.
    }
  }

  return {
    /** Counts as a use. */
    find(sha256: string): ReturnType<TokenLookup> {
      const row = look(sha256);
      if (typeof row !== 'object') return row;
      row.used = clock();
      uses.note(row.id);
      return principalOf(row);
    },
    /** True if a session's token is still taken. To ask is no use. */
    isTaken: (sha256: string) => typeof look(sha256) === 'object',
    /** True if a session still holds. */
    holds,
    /** True if a code still gives its session: what made it holds, and its sign-in is not over. */
    mayBegin: ({ maker, until = Infinity }: Grant) =>
      clock() < until && (maker === undefined || makerHolds(maker)),
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
    begin({
      name,
      scopes,
      mintedBy,
      subject,
      maker,
      until,
    }: Grant): SignedIn & { readonly principal: Principal } {
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
        maker: maker ?? null,
        until: until ?? null,
      };
      keep(row);
      return {
        token,
        expires: instant(Math.min(now + sessionIdle, latestOf(row))),
        scope: row.scopes,
        name,
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
        .filter((row) => !isOver(row, now) && !isRevoked(row))
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
      held = new Map(rowsHere().map((row) => [row.sha256, { ...row, used: used(row) }]));
    },
    /** Writes what is still to be written. */
    flush: uses.flush,
  };

  /** The person's name; one who was removed is nobody. */
  function personOf(id: string | null): { readonly person?: string } {
    const person = id === null ? undefined : people.nameOf(id);
    return person === undefined ? {} : { person };
  }

  function principalOf(row: SessionRow): Principal {
    const { id, name, scopes, minted_by: mintedBy, person, subject } = row;
    const own = { id, name, scopes: scopes.split(' '), kind: 'session', seat: true } as const;
    const until = latestOf(row);
    return {
      ...own,
      ...(mintedBy !== null && { mintedBy }),
      ...(subject !== null && { subject }),
      ...(until < Infinity && { until }),
      ...personOf(person),
    };
  }
}

/** When a session ends, however it is used. One of a subject that an older program began has no time of its own. */
function latestOf({ until, subject, begun }: SessionRow): number {
  return until ?? (subject === null ? Infinity : begun + providerLongest);
}

function instant(time: number): string {
  return new Date(time).toISOString();
}
