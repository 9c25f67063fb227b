/**
 * features/access creates, lists and revokes the tokens of this server. The app shell mounts it. Invariant: a new
 * token exists only in the state of its dialog, never in a cache, storage or log.
 */
import { fullScope, permissions, type Permission } from '../../../core/app/scopes.ts';
import { type ResourceType, perType, resourceTypes } from '../../../core/fhir/resource.ts';

/** Selected scopes: everything, or letters by type. */
export interface ScopeChoice {
  readonly everything: boolean;
  readonly letters: Readonly<Record<ResourceType, readonly Permission[]>>;
}

/** Default choice: read and search, which change nothing. */
export const initialChoice: ScopeChoice = {
  everything: false,
  letters: perType((): readonly Permission[] => ['r', 's']),
};

/** Returns the choice with one letter of one type toggled. */
export function toggled(choice: ScopeChoice, type: ResourceType, letter: Permission): ScopeChoice {
  const previousLetters = choice.letters[type];
  const next = permissions.filter((candidate) =>
    candidate === letter ? !previousLetters.includes(candidate) : previousLetters.includes(candidate),
  );
  return { ...choice, letters: { ...choice.letters, [type]: next } };
}

/** Returns the scopes in SMART v2 syntax, with letters in the order c r u s. */
export function scopesOf(choice: ScopeChoice): string[] {
  if (choice.everything) return [fullScope];
  const lettersByType = resourceTypes.map((type) => ({ type, letters: choice.letters[type].join('') }));
  return lettersByType
    .filter(({ letters }) => letters !== '')
    .map(({ type, letters }) => `system/${type}.${letters}`);
}
