import { randomUUID } from 'node:crypto';
import type { TokenMinted, TokenRequest, TokenSummary } from '../../core/app/tokens.ts';
import type { Derived, Principal, TokenLookup } from '../access/principal.ts';
import { hashToken, newToken } from '../access/secret.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';
import { lastUses } from './last-use.ts';

/** Minted tokens, and the access tokens that they obtained; times are milliseconds since the epoch. */
export const tokenMigration = `
  CREATE TABLE token (
    id TEXT PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER,
    last_used INTEGER,
    revoked INTEGER
  ) STRICT;
  CREATE TABLE access_token (
    sha256 TEXT PRIMARY KEY,
    token TEXT NOT NULL REFERENCES token (id),
    scopes TEXT NOT NULL,
    expires INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX access_token_expires ON access_token (expires);
`;

interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly scopes: string;
  readonly created: number;
  readonly expires: number | null;
  readonly last_used: number | null;
  readonly revoked: number | null;
  /** Id of the session or the minted token that made it. */
  readonly maker: string | null;
}

/** A row as a lookup finds it. */
interface FoundToken extends TokenRow {
  /** When the minted token ends, also behind an access token. */
  readonly until: number | null;
}

/** How long an access token is still called expired rather than unknown. */
const remembered = 24 * 3600 * 1000;

/** Tokens with the time of the last use that any server noted. */
const withUses = `SELECT id, name, scopes, created, expires, expires AS until, revoked, maker,
    nullif(max(ifnull(at, 0), ifnull(last_used, 0)), 0) AS last_used
  FROM token LEFT JOIN last_use USING (id)`;

export type TokenStore = ReturnType<typeof tokenStore>;

/** Minted tokens; `sessionHolds` says whether a session still does. */
export function tokenStore(
  database: SqliteDatabase,
  clock: () => number,
  sessionHolds: (id: string) => boolean,
) {
  const byHash = database.prepare<unknown[], FoundToken>(
    'SELECT *, expires AS until FROM token WHERE sha256 = ?',
  );
  const issuedByHash = database.prepare<unknown[], FoundToken>(
    `SELECT token.id, name, access_token.scopes, created, min(access_token.expires, ifnull(token.expires, access_token.expires)) AS expires,
       NULL AS last_used, revoked, maker, token.expires AS until FROM access_token JOIN token ON token.id = access_token.token WHERE access_token.sha256 = ?`,
  );
  const byId = database.prepare<unknown[], FoundToken>(`${withUses} WHERE id = ?`);
  const all = database.prepare<unknown[], TokenRow>(`${withUses} ORDER BY created DESC, token.rowid DESC`);
  const insert = database.prepare(
    'INSERT INTO token (id, sha256, name, scopes, created, expires, maker) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const forget = database.prepare('DELETE FROM access_token WHERE expires < ?');
  const insertIssued = database.prepare(
    'INSERT INTO access_token (sha256, token, scopes, expires) VALUES (?, ?, ?, ?)',
  );
  const end = database.prepare('UPDATE token SET revoked = ? WHERE id = ? AND revoked IS NULL');
  const uses = lastUses(database, clock);

  const hasMaker = ({ maker }: TokenRow) => maker === null || sessionHolds(maker) || holds(maker);
  const stateOf = (row: FoundToken | undefined, kind: Principal['kind']): ReturnType<TokenLookup> => {
    if (row?.revoked !== null) return undefined;
    if (row.expires !== null && row.expires <= clock()) return 'expired';
    if (!hasMaker(row)) return undefined;
    const { id, name, scopes, until } = row;
    return { id, name, scopes: scopes.split(' '), kind, ...(until !== null && { until }) };
  };
  /** True if a token holds: neither it nor what made it was revoked or has expired. */
  function holds(id: string): boolean {
    return typeof stateOf(byId.get(id), 'minted') === 'object';
  }
  const summaryOf = (row: TokenRow): TokenSummary => {
    const { id, name, scopes, created, expires, last_used: lastUsed, revoked } = row;
    return {
      ...{ id, name, scopes: scopes.split(' '), created: instant(created) },
      ...(expires !== null && { expires: instant(expires) }),
      ...(lastUsed !== null && { lastUsed: instant(lastUsed) }),
      ...(revoked !== null && { revoked: instant(revoked) }),
      ...(!hasMaker(row) && { ended: true }),
    };
  };

  return {
    find(sha256: string) {
      const row = byHash.get(sha256);
      return row ? stateOf(row, 'minted') : stateOf(issuedByHash.get(sha256), 'issued');
    },
    /** Notes a use of a minted token, or of one that it obtained; written later, and at most once a minute. */
    used: uses.note,
    /** Mints a token that ends with what made it; a command makes one that ends with no other. */
    mint({ name, scopes, expiresIn = Infinity }: TokenRequest, made: Derived = {}): Promise<TokenMinted> {
      const id = randomUUID();
      const token = newToken();
      const now = clock();
      const latest = Math.min(now + expiresIn * 1000, made.until ?? Infinity);
      const expires = latest < Infinity ? latest : null;
      insert.run(id, hashToken(token), name, scopes.join(' '), now, expires, made.maker ?? null);
      return Promise.resolve({ id, token });
    },
    /** A new access token of a minted one, and the seconds that it holds: never longer than the minted one. */
    issue(client: Principal, scopes: readonly string[], seconds: number) {
      const token = newToken();
      const now = clock();
      const expires = Math.min(now + seconds * 1000, byId.get(client.id)?.expires ?? Infinity);
      database
        .transaction(() => {
          forget.run(now - remembered);
          insertIssued.run(hashToken(token), client.id, scopes.join(' '), expires);
        })
        .immediate();
      return Promise.resolve({ token, seconds: Math.floor((expires - now) / 1000) });
    },
    /** Newest first. */
    list() {
      uses.flush();
      return Promise.resolve(all.all().map(summaryOf));
    },
    holds,
    /** Ends a token and what it obtained, from the next request on; undefined where the id is unknown. */
    revoke(id: string) {
      uses.flush();
      end.run(clock(), id);
      const row = byId.get(id);
      return Promise.resolve(row && summaryOf(row));
    },
    /** Writes what is still to be written. */
    flush: uses.flush,
  };
}

function instant(time: number): string {
  return new Date(time).toISOString();
}
