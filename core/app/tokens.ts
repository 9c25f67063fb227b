/**
 * What the page and `/app/tokens` say to each other about access tokens, and the rules for a new one, which the
 * command line obeys as well. A token itself is told once, in the answer to its making.
 */
import * as v from 'valibot';
import { firstType } from '../fhir/resource.ts';
import { members, type Shape } from '../json/shape.ts';
import { line } from './check.ts';
import { everything, neededScope, parseScope } from './scopes.ts';

export const tokenLimits = { name: 100, scopes: 20, seconds: 10 * 366 * 24 * 3600 } as const;

/** Name of the launch's token; no other may bear it, since names stand in the history. */
export const ownerName = 'owner';

/** One minted token; times are instants, UTC. */
const TokenSummary = v.object({
  /** Also its `client_id` at `/oauth2/token`. */
  id: v.string(),
  name: v.string(),
  scopes: v.array(v.string()),
  created: v.string(),
  expires: v.exactOptional(v.string()),
  /** To the minute. */
  lastUsed: v.exactOptional(v.string()),
  revoked: v.exactOptional(v.string()),
  /** True if what made it has ended, and it with that. */
  ended: v.exactOptional(v.literal(true)),
  /** Whether the request that asked came with it. */
  current: v.exactOptional(v.literal(true)),
});
export type TokenSummary = Shape<typeof TokenSummary>;

/** `GET /app/tokens`. */
export const TokenList = v.array(TokenSummary);

/** The answer to `POST /app/tokens`, once. */
export const TokenMinted = v.object({ id: v.string(), token: v.string() });
export type TokenMinted = Shape<typeof TokenMinted>;

export type TokenState = 'active' | 'expired' | 'revoked';

export function tokenState({ expires, revoked, ended }: TokenSummary, now: number): TokenState {
  if (revoked !== undefined) return 'revoked';
  if (ended) return 'expired';
  return expires !== undefined && Date.parse(expires) <= now ? 'expired' : 'active';
}

const nameRule = `A name is 1 to ${tokenLimits.name} characters without control characters, and not ${ownerName}.`;
const scopesRule = `Scopes are a list of 1 to ${tokenLimits.scopes} different SMART scopes.`;
const scopeRule = `A scope is like ${neededScope(firstType, 'r')}, system/${firstType}.cu or ${everything}.`;
const lifetimeRule = `expiresIn is a whole number of seconds, 1 to ${tokenLimits.seconds}.`;

// What is left out is read as what breaks the rule, so that the rule is what is said of it.
/** `POST /app/tokens`. */
export const TokenRequest = v.pipe(
  v.message(members, 'Send one JSON object with name and scopes, and expiresIn where it ends.'),
  v.strictObject(
    {
      /** Stands as the author in the history of what is written with it. */
      name: v.optional(
        v.pipe(
          line(tokenLimits.name, nameRule),
          v.check((name) => name.toLowerCase() !== ownerName, nameRule),
        ),
        '',
      ),
      /** SMART scopes, v1 or v2. */
      scopes: v.optional(
        v.pipe(
          v.array(v.string(scopesRule), scopesRule),
          v.minLength(1, scopesRule),
          v.maxLength(tokenLimits.scopes, scopesRule),
          v.check((scopes) => new Set(scopes).size === scopes.length, scopesRule),
          v.checkItems((scope) => parseScope(scope) !== undefined, scopeRule),
        ),
        [],
      ),
      /** Seconds; without it the token holds until it is revoked. */
      expiresIn: v.exactOptional(
        v.message(
          v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(tokenLimits.seconds)),
          lifetimeRule,
        ),
      ),
    },
    'Send nothing beside name, scopes and expiresIn (seconds).',
  ),
);
export type TokenRequest = Shape<typeof TokenRequest>;
