import { resourceTypes } from '../fhir/resource.ts';

/** One letter of a SMART v2 scope: create, read, update, search. */
export type Permission = 'c' | 'r' | 'u' | 's';

/** The scope that allows everything, the app's own addresses included. */
export const everything = 'system/*.*';

/** What a SMART v1 suffix says in the letters of v2. */
const v1Letters: Readonly<Record<string, string>> = { read: 'rs', write: 'cud', '*': 'cruds' };

const form = /^(?:system|user)\/([A-Za-z]+|\*)\.(read|write|\*|(?=.)c?r?u?d?s?)$/;

interface Scope {
  readonly type: string;
  readonly letters: string;
}

/** A SMART scope, v1 or v2 spelling, taken apart; undefined where it is none or names a type that is not offered. */
export function parseScope(text: string): Scope | undefined {
  const [, type, suffix] = form.exec(text) ?? [];
  if (type === undefined || suffix === undefined) return undefined;
  if (type !== '*' && !(resourceTypes as readonly string[]).includes(type)) return undefined;
  return { type, letters: v1Letters[suffix] ?? suffix };
}

/** Whether any of the scopes allows this with the type. */
export function allows(scopes: readonly string[], type: string, permission: Permission): boolean {
  return scopes.some((text) => {
    const scope = parseScope(text);
    return scope !== undefined && (scope.type === '*' || scope.type === type) && scope.letters.includes(permission);
  });
}

/** Whether the scopes hold {@link everything}: the holder may mint and revoke tokens and use the app's addresses. */
export function allowsEverything(scopes: readonly string[]): boolean {
  return scopes.includes(everything);
}

/** The narrowest v1 scope that would have been enough, for `insufficient_scope` (RFC 6750 section 3). */
export function neededScope(type: string, permission: Permission): string {
  return `system/${type}.${permission === 'r' || permission === 's' ? 'read' : 'write'}`;
}
