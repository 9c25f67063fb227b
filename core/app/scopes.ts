import { resourceTypes } from '../fhir/resource.ts';

/** One letter of a SMART v2 scope: create, read, update, search. */
export type Permission = 'c' | 'r' | 'u' | 's';

export const permissions: readonly Permission[] = ['c', 'r', 'u', 's'];

/** The scope that allows everything, the app's own addresses included; no other spelling does. */
export const everything = 'system/*.*';

/** The scopes to choose from, in v1 spelling; v2 spellings are accepted as well. */
export const offeredScopes: readonly string[] = [
  everything,
  ...['*', ...resourceTypes].flatMap((type) => [`system/${type}.read`, `system/${type}.write`]),
];

/** What a SMART v1 suffix says in the letters of v2. */
const v1Letters: Readonly<Record<string, string>> = { read: 'rs', write: 'cud', '*': 'cruds' };

const form = /^(?:system|user)\/([A-Za-z]+|\*)\.(read|write|\*|(?=.)c?r?u?d?s?)$/;

export interface Scope {
  /** A resource type, or `*`. */
  readonly type: string;
  /** Among {@link permissions}; the letter d is left out, since nothing is deleted here. */
  readonly letters: readonly Permission[];
}

/**
 * A SMART scope taken apart, in the spelling of v1 or v2 (SMART App Launch 2.2 scopes-and-launch-context.html);
 * undefined where it is none, or allows nothing that is offered.
 */
export function parseScope(text: string): Scope | undefined {
  const [, type, suffix] = form.exec(text) ?? [];
  if (type === undefined || suffix === undefined) return undefined;
  if (type !== '*' && !(resourceTypes as readonly string[]).includes(type)) return undefined;
  const spelled = v1Letters[suffix] ?? suffix;
  const letters = permissions.filter((letter) => spelled.includes(letter));
  return letters.length === 0 ? undefined : { type, letters };
}

/** Whether any of the scopes allows this with the type. */
export function allows(scopes: readonly string[], type: string, permission: Permission): boolean {
  return scopes.some((text) => {
    const scope = parseScope(text);
    return (
      scope !== undefined && (scope.type === '*' || scope.type === type) && scope.letters.includes(permission)
    );
  });
}

/** Whether the scopes hold {@link everything}: the holder may mint and revoke tokens and use the app's addresses. */
export function allowsEverything(scopes: readonly string[]): boolean {
  return scopes.includes(everything);
}

/** Whether `scopes` allow all that `asked` would: a client may ask for less than it has (RFC 6749 section 3.3). */
export function covers(scopes: readonly string[], asked: string): boolean {
  if (asked === everything) return allowsEverything(scopes);
  const scope = parseScope(asked);
  if (!scope) return false;
  const types = scope.type === '*' ? resourceTypes : [scope.type];
  return types.every((type) => scope.letters.every((letter) => allows(scopes, type, letter)));
}

/** The narrowest v1 scope that would have been enough, for `insufficient_scope` (RFC 6750 section 3). */
export function neededScope(type: string, permission: Permission): string {
  return `system/${type}.${permission === 'r' || permission === 's' ? 'read' : 'write'}`;
}
