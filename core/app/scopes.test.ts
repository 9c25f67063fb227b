import { describe, expect, test } from 'vitest';
import {
  allows,
  allowsEverything,
  covers,
  neededScope,
  offeredScopes,
  parseScope,
  permissions,
} from './scopes.ts';

describe('a scope allows what its letters say, for its type', () => {
  test.each([
    ['system/CarePlan.read', 'rs', ''],
    ['system/CarePlan.write', 'cu', ''],
    ['system/CarePlan.*', 'crus', ''],
    ['user/Composition.read', '', 'rs'],
    ['system/Composition.c', '', 'c'],
    ['system/Composition.ud', '', 'u'],
    ['system/*.rs', 'rs', 'rs'],
    ['system/*.cruds', 'crus', 'crus'],
    ['system/*.*', 'crus', 'crus'],
  ])('%s', (scope, carePlan, composition) => {
    const letters = (type: string) => permissions.filter((letter) => allows([scope], type, letter)).join('');
    expect([letters('CarePlan'), letters('Composition')]).toEqual([carePlan, composition]);
  });
});

test.each([
  '',
  'system',
  'system/CarePlan',
  'system/CarePlan.',
  'system/CarePlan.sr',
  'system/CarePlan.rr',
  'system/CarePlan.d',
  'system/CarePlan.Read',
  'system/CarePlan.constructor',
  'system/Patient.read',
  'system/careplan.read',
  'patient/CarePlan.read',
  'system/CarePlan.rs?status=active',
  ' system/CarePlan.rs',
  'system/CarePlan.rs\n',
  'openid',
])('%j is no scope, and allows nothing', (scope) => {
  expect(parseScope(scope)).toBeUndefined();
  expect(permissions.some((letter) => allows([scope], 'CarePlan', letter))).toBe(false);
});

test('everything has one spelling', () => {
  expect(allowsEverything(['system/*.*'])).toBe(true);
  for (const scope of ['user/*.*', 'system/*.cruds', 'system/CarePlan.*']) {
    expect(allowsEverything([scope])).toBe(false);
  }
});

test('a client may ask for what its scopes allow together, in any spelling, and for no more', () => {
  const own = ['system/CarePlan.rs', 'system/Composition.read', 'system/CarePlan.cu'];
  for (const asked of ['system/*.read', 'system/CarePlan.write', 'system/CarePlan.*', 'user/Composition.s']) {
    expect(covers(own, asked)).toBe(true);
  }
  for (const asked of ['system/*.*', 'system/*.cruds', 'system/Composition.c', 'openid', '']) {
    expect(covers(own, asked)).toBe(false);
  }
  expect(covers(['system/*.cruds'], 'system/*.*')).toBe(false);
  expect(covers(['system/*.*'], 'system/*.*')).toBe(true);
});

test('the scope that is asked for would be enough, and is one that is offered', () => {
  for (const type of ['CarePlan', 'Composition']) {
    for (const letter of permissions) {
      expect(allows([neededScope(type, letter)], type, letter)).toBe(true);
      expect(offeredScopes).toContain(neededScope(type, letter));
    }
  }
});
