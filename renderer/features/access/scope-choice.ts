/**
 * features/access mints, lists and revokes the tokens of this server. The app shell mounts it. Invariant: a new token
 * lives in the state of the dialog that shows it, and nowhere else: in no cache, no storage, no log.
 */
import { everything, permissions, type Permission } from '../../../core/app/scopes.ts';
import { type ResourceType, perType, resourceTypes } from '../../../core/fhir/resource.ts';

/** What is ticked: everything, or letters by type. */
export interface ScopeChoice {
  readonly everything: boolean;
  readonly letters: Readonly<Record<ResourceType, readonly Permission[]>>;
}

/** To look and search, which harms nothing. */
export const initialChoice: ScopeChoice = {
  everything: false,
  letters: perType((): readonly Permission[] => ['r', 's']),
};

/** The choice with one letter of one type ticked or not. */
export function toggled(choice: ScopeChoice, type: ResourceType, letter: Permission): ScopeChoice {
  const held = choice.letters[type];
  const next = permissions.filter((one) => (one === letter ? !held.includes(one) : held.includes(one)));
  return { ...choice, letters: { ...choice.letters, [type]: next } };
}

/** The scopes in SMART v2 spelling, their letters in the order c r u s. */
export function scopesOf(choice: ScopeChoice): string[] {
  if (choice.everything) return [everything];
  const chosen = resourceTypes.map((type) => ({ type, letters: choice.letters[type].join('') }));
  return chosen
    .filter(({ letters }) => letters !== '')
    .map(({ type, letters }) => `system/${type}.${letters}`);
}
