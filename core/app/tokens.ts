/**
 * What the page and `/app/tokens` say to each other about access tokens, and the rules for a new one, which the
 * command line obeys as well. A token itself is told once, in the answer to its making.
 */
import { firstType } from '../fhir/resource.ts';
import { everything, neededScope, parseScope } from './scopes.ts';
import type { Problem } from '../fhir/outcome.ts';

/** `GET /app/tokens`: one minted token; times are instants, UTC. */
export interface TokenSummary {
  /** Also its `client_id` at `/oauth2/token`. */
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly created: string;
  readonly expires?: string;
  /** To the minute. */
  readonly lastUsed?: string;
  readonly revoked?: string;
  /** Whether the request that asked came with it. */
  readonly current?: true;
}

/** `POST /app/tokens`. */
export interface TokenRequest {
  /** Stands as the author in the history of what is written with it. */
  readonly name: string;
  /** SMART scopes, v1 or v2. */
  readonly scopes: readonly string[];
  /** Seconds; without it the token holds until it is revoked. */
  readonly expiresIn?: number;
}

/** The answer to `POST /app/tokens`, once. */
export interface TokenMinted {
  readonly id: string;
  readonly token: string;
}

export const tokenLimits = { name: 100, scopes: 20, seconds: 10 * 366 * 24 * 3600 } as const;

/** Name of the launch's token; no other may bear it, since names stand in the history. */
export const ownerName = 'owner';

export type TokenState = 'active' | 'expired' | 'revoked';

export function tokenState({ expires, revoked }: TokenSummary, now: number): TokenState {
  if (revoked !== undefined) return 'revoked';
  return expires !== undefined && Date.parse(expires) <= now ? 'expired' : 'active';
}

export type TokenRequestCheck =
  { readonly request: TokenRequest } | { readonly problems: readonly Problem[] };

/** Reads what asks for a token: the request, or one problem for each fault. */
export function checkTokenRequest(value: unknown): TokenRequestCheck {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return {
      problems: [{ text: 'Send one JSON object with name and scopes, and expiresIn where it ends.' }],
    };
  }
  const { name, scopes, expiresIn, ...others } = value as Readonly<Record<string, unknown>>;
  const faults = [
    ...faultOf(!isName(name), 'name', nameRule),
    ...scopeFaults(scopes),
    ...faultOf(expiresIn !== undefined && !isLifetime(expiresIn), 'expiresIn', lifetimeRule),
    ...faultOf(
      Object.keys(others).length > 0,
      undefined,
      'Send nothing beside name, scopes and expiresIn (seconds).',
    ),
  ];
  if (faults.length > 0 || !isName(name) || !isScopes(scopes)) return { problems: faults };
  return { request: { name, scopes, ...(isLifetime(expiresIn) && { expiresIn }) } };
}

const nameRule = `A name is 1 to ${tokenLimits.name} characters without control characters, and not ${ownerName}.`;
const scopesRule = `Scopes are a list of 1 to ${tokenLimits.scopes} different SMART scopes.`;
const scopeRule = `A scope is like ${neededScope(firstType, 'r')}, system/${firstType}.cu or ${everything}.`;
const lifetimeRule = `expiresIn is a whole number of seconds, 1 to ${tokenLimits.seconds}.`;

function faultOf(faulty: boolean, expression: string | undefined, text: string): Problem[] {
  return faulty ? [{ text, ...(expression !== undefined && { expression }) }] : [];
}

function scopeFaults(scopes: unknown): Problem[] {
  if (!isScopes(scopes)) return [{ text: scopesRule, expression: 'scopes' }];
  return scopes.flatMap((scope, index) =>
    faultOf(parseScope(scope) === undefined, `scopes[${index}]`, scopeRule),
  );
}

function isName(value: unknown): value is string {
  if (typeof value !== 'string' || value.trim() !== value || value.toLowerCase() === ownerName) return false;
  return value !== '' && value.length <= tokenLimits.name && !/\p{C}/u.test(value);
}

function isScopes(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > tokenLimits.scopes) return false;
  return value.every((scope) => typeof scope === 'string') && new Set(value).size === value.length;
}

function isLifetime(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= tokenLimits.seconds;
}

export function isTokenMinted(value: unknown): value is TokenMinted {
  return hasStrings(value, ['id', 'token']);
}

export function isTokenList(value: unknown): value is readonly TokenSummary[] {
  return Array.isArray(value) && value.every(isTokenSummary);
}

function isTokenSummary(value: unknown): value is TokenSummary {
  return hasStrings(value, ['id', 'name', 'created']) && 'scopes' in value && isStrings(value.scopes);
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function hasStrings(value: unknown, names: readonly string[]): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof Reflect.get(value, name) === 'string')
  );
}
