import { resourceTypes } from '../fhir/resource.ts';

/** One letter of a SMART v2 scope: create, read, update, search. */
export type Permission = 'c' | 'r' | 'u' | 's';

export const permissions: readonly Permission[] = ['c', 'r', 'u', 's'];

/** Scope that permits everything, including the addresses under `/app`. It has no other spelling. */
export const fullScope = 'system/*.*';

/** Scopes to choose from in v1 spelling. v2 spellings are also accepted. */
export const supportedScopes: readonly string[] = [
  fullScope,
  ...['*', ...resourceTypes].flatMap((type) => [`system/${type}.read`, `system/${type}.write`]),
];

/** Letters of v2 for each suffix of v1. */
const v1Letters: Readonly<Record<string, string>> = { read: 'rs', write: 'cud', '*': 'cruds' };

const scopePattern = /^(?:system|user)\/([A-Za-z]+|\*)\.(read|write|\*|(?=.)c?r?u?d?s?)$/;

export interface Scope {
  /** Resource type, or `*`. */
  readonly type: string;
  /** Subset of {@link permissions}. The letter d is dropped, because nothing is deleted. */
  readonly letters: readonly Permission[];
}

/**
 * Parses a SMART scope in the spelling of v1 or v2.
 *
 * @returns Undefined for another text and for a scope that permits nothing.
 * @see SMART App Launch 2.2 scopes-and-launch-context.html
 */
export function parseScope(text: string): Scope | undefined {
  const [, type, suffix] = scopePattern.exec(text) ?? [];
  if (type === undefined || suffix === undefined) return undefined;
  if (type !== '*' && !(resourceTypes as readonly string[]).includes(type)) return undefined;
  const spelled = v1Letters[suffix] ?? suffix;
  const letters = permissions.filter((letter) => spelled.includes(letter));
  return letters.length === 0 ? undefined : { type, letters };
}

/** Parsed scopes by their list, which a token keeps over its requests. */
const parsedScopes = new WeakMap<readonly string[], readonly Scope[]>();

/** Returns true if any of the scopes permits the operation on the type. */
export function allows(scopes: readonly string[], type: string, permission: Permission): boolean {
  const parsed = parsedScopes.get(scopes) ?? scopes.flatMap((text) => parseScope(text) ?? []);
  parsedScopes.set(scopes, parsed);
  return parsed.some(
    (scope) => (scope.type === '*' || scope.type === type) && scope.letters.includes(permission),
  );
}

/**
 * Returns true if the scopes contain {@link fullScope}. Its owner can create and revoke tokens and use
 * `/app`.
 */
export function allowsEverything(scopes: readonly string[]): boolean {
  return scopes.includes(fullScope);
}

/**
 * Returns true if `scopes` permit all that `requestedScope` would: a client can request less than it has (RFC
 * 6749 section 3.3).
 */
export function covers(scopes: readonly string[], requestedScope: string): boolean {
  if (requestedScope === fullScope) return allowsEverything(scopes);
  const scope = parseScope(requestedScope);
  if (!scope) return false;
  const types = scope.type === '*' ? resourceTypes : [scope.type];
  return types.every((type) => scope.letters.every((letter) => allows(scopes, type, letter)));
}

/** Returns the narrowest sufficient v1 scope, for `insufficient_scope` (RFC 6750 section 3). */
export function neededScope(type: string, permission: Permission): string {
  return `system/${type}.${permission === 'r' || permission === 's' ? 'read' : 'write'}`;
}
