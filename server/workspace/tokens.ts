import { randomUUID } from 'node:crypto';
import type { CreatedToken, TokenRequest, TokenSummary } from '../../core/app/tokens.ts';
import type { InheritedMembers, Principal, TokenLookup } from '../access/principal.ts';
import { hashToken, createToken } from '../access/secret.ts';
import type { SqliteDatabase } from '../sqlite/sqlite.ts';
import { lastUses } from './last-use.ts';

/** Tables of tokens and of the access tokens obtained with them. Times are milliseconds since the epoch. */
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
  /** Id of the session or token that created it. */
  readonly maker: string | null;
}

interface TokenLookupRow extends TokenRow {
  /** Expiry of the token, also for an access token. */
  readonly until: number | null;
}

/** Time in milliseconds for which an access token is reported as expired instead of unknown. */
const retentionMs = 24 * 3600 * 1000;

/** SQL of tokens with the time of the last use on any server. */
const tokensWithUsesSql = `SELECT id, name, scopes, created, expires, expires AS until, revoked, maker,
    nullif(max(ifnull(at, 0), ifnull(last_used, 0)), 0) AS last_used
  FROM token LEFT JOIN last_use USING (id)`;

export type TokenStore = ReturnType<typeof tokenStore>;

/** Creates the store of tokens. `sessionHolds` returns true if a session is valid. */
export function tokenStore(
  database: SqliteDatabase,
  clock: () => number,
  sessionHolds: (id: string) => boolean,
) {
  const byHash = database.prepare<unknown[], TokenLookupRow>(
    'SELECT *, expires AS until FROM token WHERE sha256 = ?',
  );
  const issuedByHash = database.prepare<unknown[], TokenLookupRow>(
    `SELECT token.id, name, access_token.scopes, created, min(access_token.expires, ifnull(token.expires, access_token.expires)) AS expires,
       NULL AS last_used, revoked, maker, token.expires AS until FROM access_token JOIN token ON token.id = access_token.token WHERE access_token.sha256 = ?`,
  );
  const byId = database.prepare<unknown[], TokenLookupRow>(`${tokensWithUsesSql} WHERE id = ?`);
  const listTokens = database.prepare<unknown[], TokenRow>(
    `${tokensWithUsesSql} ORDER BY created DESC, token.rowid DESC`,
  );
  const insert = database.prepare(
    'INSERT INTO token (id, sha256, name, scopes, created, expires, maker) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const deleteExpired = database.prepare('DELETE FROM access_token WHERE expires < ?');
  const insertIssued = database.prepare(
    'INSERT INTO access_token (sha256, token, scopes, expires) VALUES (?, ?, ?, ?)',
  );
  const setRevoked = database.prepare('UPDATE token SET revoked = ? WHERE id = ? AND revoked IS NULL');
  const uses = lastUses(database, clock);

  const hasMaker = ({ maker }: TokenRow) => maker === null || sessionHolds(maker) || isValid(maker);
  const stateOf = (row: TokenLookupRow | undefined, kind: Principal['kind']): ReturnType<TokenLookup> => {
    if (row?.revoked !== null) return undefined;
    if (row.expires !== null && row.expires <= clock()) return 'expired';
    if (!hasMaker(row)) return undefined;
    const { id, name, scopes, until } = row;
    return { id, name, scopes: scopes.split(' '), kind, ...(until !== null && { until }) };
  };
  /** Returns true if a token is valid: the token and its origin have not expired and were not revoked. */
  function isValid(id: string): boolean {
    return typeof stateOf(byId.get(id), 'minted') === 'object';
  }
  const summaryOf = (row: TokenRow): TokenSummary => {
    const { id, name, scopes, created, expires, last_used: lastUsed, revoked } = row;
    return {
      id,
      name,
      scopes: scopes.split(' '),
      created: instant(created),
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
    /** Records a use of a token, or of its access token. Written later, at most once a minute. */
    used: uses.note,
    /** Creates a token that ends with its origin. Tokens of a command have no origin. */
    mint(
      { name, scopes, expiresIn = Infinity }: TokenRequest,
      origin: InheritedMembers = {},
    ): Promise<CreatedToken> {
      const id = randomUUID();
      const token = createToken();
      const now = clock();
      const latest = Math.min(now + expiresIn * 1000, origin.until ?? Infinity);
      const expires = latest < Infinity ? latest : null;
      insert.run(id, hashToken(token), name, scopes.join(' '), now, expires, origin.maker ?? null);
      return Promise.resolve({ id, token });
    },
    /**
     * Creates an access token and returns its lifetime in seconds, which never exceeds the lifetime of the
     * client's token.
     */
    issue(client: Principal, scopes: readonly string[], seconds: number) {
      const token = createToken();
      const now = clock();
      const expires = Math.min(now + seconds * 1000, byId.get(client.id)?.expires ?? Infinity);
      database
        .transaction(() => {
          deleteExpired.run(now - retentionMs);
          insertIssued.run(hashToken(token), client.id, scopes.join(' '), expires);
        })
        .immediate();
      return Promise.resolve({ token, seconds: Math.floor((expires - now) / 1000) });
    },
    /** Returns the tokens, newest first. */
    list() {
      uses.flush();
      return Promise.resolve(listTokens.all().map(summaryOf));
    },
    holds: isValid,
    /** Revokes a token and its access tokens from the next request on. Returns undefined if the id is unknown. */
    revoke(id: string) {
      uses.flush();
      setRevoked.run(clock(), id);
      const row = byId.get(id);
      return Promise.resolve(row && summaryOf(row));
    },
    /** Writes pending uses. */
    flush: uses.flush,
  };
}

function instant(time: number): string {
  return new Date(time).toISOString();
}
