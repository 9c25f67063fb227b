/**
 * Data of `/app/tokens`, and the rules for new access tokens, which also apply to the command line. A token
 * appears once, in the response that creates it.
 */
import * as v from 'valibot';
import { firstType } from '../fhir/resource.ts';
import { members, type Shape } from '../json/shape.ts';
import { formatList } from '../text/language.ts';
import { defineMessages } from '../text/message.ts';
import { codedText, line } from './check.ts';
import { fullScope, neededScope, parseScope } from './scopes.ts';

export const tokenLimits = { name: 100, scopes: 20, seconds: 10 * 366 * 24 * 3600 } as const;

/** Name of the launch token. Reserved, because histories contain names. */
export const ownerName = 'owner';

/** Access token. Times are instants, UTC. */
const TokenSummary = v.object({
  /** Also the `client_id` at `/oauth2/token`. */
  id: v.string(),
  name: v.string(),
  scopes: v.array(v.string()),
  created: v.string(),
  expires: v.exactOptional(v.string()),
  /** Precise to the minute. */
  lastUsed: v.exactOptional(v.string()),
  revoked: v.exactOptional(v.string()),
  /** True if its parent session or token has ended. */
  ended: v.exactOptional(v.literal(true)),
  /** True for the token of this request. */
  current: v.exactOptional(v.literal(true)),
});
export type TokenSummary = Shape<typeof TokenSummary>;

/** `GET /app/tokens`. */
export const TokenList = v.array(TokenSummary);

/** Response of `POST /app/tokens`. */
export const CreatedToken = v.object({ id: v.string(), token: v.string() });
export type CreatedToken = Shape<typeof CreatedToken>;

export type TokenState = 'active' | 'expired' | 'revoked';

export function tokenState({ expires, revoked, ended: hasEnded }: TokenSummary, now: number): TokenState {
  if (revoked !== undefined) return 'revoked';
  if (hasEnded) return 'expired';
  return expires !== undefined && Date.parse(expires) <= now ? 'expired' : 'active';
}

const messages = defineMessages('token', {
  name: 'A name must have 1 to {n} characters, no control characters, and can’t be {owner}.',
  scopes: 'Scopes must be a list of 1 to {n} different SMART scopes.',
  scope: 'Use scopes such as {examples}.',
  lifetime: 'expiresIn must be 1 to {most} whole seconds.',
  body: 'Send one JSON object with name and scopes, and expiresIn if the token expires.',
  members: 'Send only name, scopes and expiresIn (seconds).',
});
const nameRule = codedText(messages.name({ n: tokenLimits.name, owner: ownerName }));
const scopesRule = codedText(messages.scopes({ n: tokenLimits.scopes }));
const exampleScopes = [neededScope(firstType, 'r'), `system/${firstType}.cu`, fullScope];
const scopeRule = codedText(messages.scope({ examples: formatList(exampleScopes, 'disjunction') }));
const lifetimeRule = codedText(messages.lifetime({ most: tokenLimits.seconds }));

// A missing member becomes an invalid value, so that its own rule reports it.
/** `POST /app/tokens`. */
export const TokenRequest = v.pipe(
  v.message(members, codedText(messages.body())),
  v.strictObject(
    {
      /** Author of the versions that the token writes. */
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
      /** Lifetime in seconds; absent until it is revoked. */
      expiresIn: v.exactOptional(
        v.message(
          v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(tokenLimits.seconds)),
          lifetimeRule,
        ),
      ),
    },
    codedText(messages.members()),
  ),
);
export type TokenRequest = Shape<typeof TokenRequest>;
