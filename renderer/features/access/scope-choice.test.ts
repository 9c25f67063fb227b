import { expect, test } from 'vitest';
import { permissions } from '../../../core/app/scopes.ts';
import { check } from '../../../core/app/check.ts';
import { TokenRequest } from '../../../core/app/tokens.ts';
import { initialChoice, scopesOf, toggled, type ScopeChoice } from './scope-choice.ts';

const emptyChoice: ScopeChoice = { everything: false, letters: { CarePlan: [], Composition: [] } };

test('allows reading and searching by default', () => {
  expect(scopesOf(initialChoice)).toEqual(['system/CarePlan.rs', 'system/Composition.rs']);
});

test('orders letters as in SMART v2, in any order of selection', () => {
  const tickedChoice = (['s', 'u', 'c', 'r'] as const).reduce(
    (choice, letter) => toggled(choice, 'Composition', letter),
    emptyChoice,
  );
  expect(scopesOf(tickedChoice)).toEqual(['system/Composition.crus']);
  expect(scopesOf(toggled(tickedChoice, 'Composition', 'u'))).toEqual(['system/Composition.crs']);
});

test('returns a single scope for everything, and none for an empty choice', () => {
  expect(scopesOf({ ...initialChoice, everything: true })).toEqual(['system/*.*']);
  expect(scopesOf(emptyChoice)).toEqual([]);
});

test('produces scopes that the server accepts', () => {
  for (const letter of permissions) {
    const scopes = scopesOf(toggled(emptyChoice, 'CarePlan', letter));
    expect(check(TokenRequest, { name: 'x', scopes })).toHaveProperty('value');
  }
});
