import { randomUUID } from 'node:crypto';
import type { TokenMinted, TokenRequest, TokenSummary } from '../../core/app/tokens.ts';
import type { Principal, TokenLookup } from '../access/principal.ts';
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
}

/** How long an access token is still called expired rather than unknown. */
const remembered = 24 * 3600 * 1000;

export type TokenStore = ReturnType<typeof tokenStore>;

export function tokenStore(database: SqliteDatabase, clock: () => number) {
  const byHash = database.prepare<unknown[], TokenRow>('SELECT * FROM token WHERE sha256 = ?');
  const issuedByHash = database.prepare<unknown[], TokenRow>(
    `SELECT token.id, name, access_token.scopes, created, min(access_token.expires, ifnull(token.expires, access_token.expires)) AS expires,
       last_used, revoked FROM access_token JOIN token ON token.id = access_token.token WHERE access_token.sha256 = ?`,
  );
  const byId = database.prepare<unknown[], TokenRow>('SELECT * FROM token WHERE id = ?');
  const all = database.prepare<unknown[], TokenRow>('SELECT * FROM token ORDER BY created DESC, rowid DESC');
  const insert = database.prepare(
    'INSERT INTO token (id, sha256, name, scopes, created, expires) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const forget = database.prepare('DELETE FROM access_token WHERE expires < ?');
  const insertIssued = database.prepare(
    'INSERT INTO access_token (sha256, token, scopes, expires) VALUES (?, ?, ?, ?)',
  );
  const end = database.prepare('UPDATE token SET revoked = ? WHERE id = ? AND revoked IS NULL');
  const note = database.prepare('UPDATE token SET last_used = ? WHERE id = ?');
  const uses = lastUses(clock, (id, at) => note.run(at, id));

  const stateOf = (row: TokenRow | undefined, kind: Principal['kind']): ReturnType<TokenLookup> => {
    if (row?.revoked !== null) return undefined;
    if (row.expires !== null && row.expires <= clock()) return 'expired';
    return { id: row.id, name: row.name, scopes: row.scopes.split(' '), kind };
  };

  return {
    find(sha256: string) {
      const row = byHash.get(sha256);
      return row ? stateOf(row, 'minted') : stateOf(issuedByHash.get(sha256), 'issued');
    },
    /** Notes a use of a minted token, or of one that it obtained; written later, and at most once a minute. */
    used: uses.note,
    mint({ name, scopes, expiresIn }: TokenRequest): Promise<TokenMinted> {
      const id = randomUUID();
      const token = newToken();
      const now = clock();
      const expires = expiresIn === undefined ? null : now + expiresIn * 1000;
      insert.run(id, hashToken(token), name, scopes.join(' '), now, expires);
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
    /** Whether a token is neither revoked nor expired. */
    holds: (id: string) => typeof stateOf(byId.get(id), 'minted') === 'object',
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

function summaryOf(row: TokenRow): TokenSummary {
  const { expires, last_used: lastUsed, revoked } = row;
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes.split(' '),
    created: instant(row.created),
    ...(expires !== null && { expires: instant(expires) }),
    ...(lastUsed !== null && { lastUsed: instant(lastUsed) }),
    ...(revoked !== null && { revoked: instant(revoked) }),
  };
}

function instant(time: number): string {
  return new Date(time).toISOString();
}
