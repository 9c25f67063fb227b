import { expect, test } from 'vitest';
import { permissions } from '../../../core/app/scopes.ts';
import { check } from '../../../core/app/check.ts';
import { TokenRequest } from '../../../core/app/tokens.ts';
import { initialChoice, scopesOf, toggled, type ScopeChoice } from './scope-choice.ts';

const none: ScopeChoice = { everything: false, letters: { CarePlan: [], Composition: [] } };

test('a new token may look and search', () => {
  expect(scopesOf(initialChoice)).toEqual(['system/CarePlan.rs', 'system/Composition.rs']);
});

test('letters stand in the order of SMART v2, however they were ticked', () => {
  const ticked = (['s', 'u', 'c', 'r'] as const).reduce(
    (choice, letter) => toggled(choice, 'Composition', letter),
    none,
  );
  expect(scopesOf(ticked)).toEqual(['system/Composition.crus']);
  expect(scopesOf(toggled(ticked, 'Composition', 'u'))).toEqual(['system/Composition.crs']);
});

test('everything is one scope beside which no other counts; nothing is none', () => {
  expect(scopesOf({ ...initialChoice, everything: true })).toEqual(['system/*.*']);
  expect(scopesOf(none)).toEqual([]);
});

test('the server takes each choice that can be made', () => {
  for (const letter of permissions) {
    const scopes = scopesOf(toggled(none, 'CarePlan', letter));
    expect(check(TokenRequest, { name: 'x', scopes })).toHaveProperty('value');
  }
});
