import { describe, expect, test } from 'vitest';
import {
  allows,
  allowsEverything,
  covers,
  neededScope,
  supportedScopes,
  parseScope,
  permissions,
} from './scopes.ts';

describe('allows', () => {
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
])('rejects the scope %j', (scope) => {
  expect(parseScope(scope)).toBeUndefined();
  expect(permissions.some((letter) => allows([scope], 'CarePlan', letter))).toBe(false);
});

test('accepts one spelling of the full scope', () => {
  expect(allowsEverything(['system/*.*'])).toBe(true);
  for (const scope of ['user/*.*', 'system/*.cruds', 'system/CarePlan.*']) {
    expect(allowsEverything([scope])).toBe(false);
  }
});

test('covers requests within all scopes together, in any spelling', () => {
  const scopes = ['system/CarePlan.rs', 'system/Composition.read', 'system/CarePlan.cu'];
  for (const requestedScope of [
    'system/*.read',
    'system/CarePlan.write',
    'system/CarePlan.*',
    'user/Composition.s',
  ]) {
    expect(covers(scopes, requestedScope)).toBe(true);
  }
  for (const requestedScope of ['system/*.*', 'system/*.cruds', 'system/Composition.c', 'openid', '']) {
    expect(covers(scopes, requestedScope)).toBe(false);
  }
  expect(covers(['system/*.cruds'], 'system/*.*')).toBe(false);
  expect(covers(['system/*.*'], 'system/*.*')).toBe(true);
});

test('names a needed scope that is sufficient and supported', () => {
  for (const type of ['CarePlan', 'Composition']) {
    for (const letter of permissions) {
      expect(allows([neededScope(type, letter)], type, letter)).toBe(true);
      expect(supportedScopes).toContain(neededScope(type, letter));
    }
  }
});
